// The playable examples of E-Card's rules page, in the order of the rules.
import { Pays } from "./pays.js";
import { Ruin } from "./ruin.js";
import { ThirdDraw } from "./third_draw.js";
import { ThreeCards } from "./three_cards.js";

export const examples = [
  { id: "cards", title: "example.cards.title", rules: ["E1"], Component: ThreeCards },
  { id: "third", title: "example.third.title", rules: ["E5", "E6"], Component: ThirdDraw },
  { id: "pays", title: "example.pays.title", rules: ["E10"], Component: Pays },
  { id: "ruin", title: "example.ruin.title", rules: ["E13"], Component: Ruin },
];
