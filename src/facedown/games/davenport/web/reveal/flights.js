// Drawn cards on their way from the stock to the seats, one after the other. Measures the page; knows only backs.

import { html, useElement, useLayoutEffect } from "/app/html.js";
import { Card } from "../drawing.js";
import { APART, FLIGHT } from "./use_reveal.js";

/** @param {Element} from @param {Element} to @param {Element} flying */
function way(from, to, flying) {
  const [a, b, f] = [from, to, flying].map((each) => each.getBoundingClientRect());
  const centred = (/** @type {DOMRect} */ at) => {
    const x = at.left + at.width / 2 - f.left - f.width / 2;
    const y = at.top + at.height / 2 - f.top - f.height / 2;
    return `translate(${x}px, ${y}px)`;
  };
  const [start, end] = [centred(a), centred(b)];
  return [
    { transform: `${start} rotate(0deg)`, opacity: 1 },
    { transform: `${end} rotate(18deg) scale(0.8)`, opacity: 1, offset: 0.92 },
    { transform: `${end} rotate(18deg) scale(0.6)`, opacity: 0 },
  ];
}

/** `seats` in the order in which their cards leave the stock; those of `own` fly into the hand by themselves.
 * @param {{seats: number[], own: number}} props */
export function Flights({ seats, own }) {
  const home = useElement();
  useLayoutEffect(() => {
    const table = home.current?.closest(".dv");
    const stock = table?.querySelector('[data-pile="stock"] .dv-pile-cards');
    const ways = [...(home.current?.children ?? [])].map((flying, i) => {
      const to = table?.querySelector(`[data-home="${seats[i]}"]`);
      return stock && to ? { flying, frames: way(stock, to, flying) } : null;
    }); // all are measured before the first one moves: the page is laid out once
    const flights = ways.map((each, i) => {
      return each
        ? each.flying.animate(each.frames, {
            duration: FLIGHT,
            delay: i * APART,
            easing: "cubic-bezier(0.3, 0, 0.3, 1)",
            fill: "both",
          })
        : null;
    });
    return () => {
      for (const flight of flights) flight?.cancel();
    };
  }, []);
  return html`<div class="dv-flights" ref=${home} aria-hidden="true">
    ${seats.map((seat) => html`<div class="dv-flight">${seat === own ? null : html`<${Card} card="back" />`}</div>`)}
  </div>`;
}
