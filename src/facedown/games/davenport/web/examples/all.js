// The playable examples of Davenport's rules page, in the order of the rules.
import { Aces } from "./aces.js";
import { Exchange } from "./exchange.js";
import { Highest } from "./highest.js";
import { Playoff } from "./playoff.js";

export const examples = [
  { id: "exchange", title: "example.exchange.title", rules: ["D3"], Component: Exchange },
  { id: "highest", title: "example.highest.title", rules: ["D6", "D7"], Component: Highest },
  { id: "ace", title: "example.ace.title", rules: ["D11", "D12", "D13", "D15"], Component: Aces },
  { id: "playoff", title: "example.playoff.title", rules: ["D10", "D16", "D17", "D18"], Component: Playoff },
];
