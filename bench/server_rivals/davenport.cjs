// The rules of Davenport that both rivals play: four seats, exchanges, no Ace rules, and the first who goes out wins,
// alone or not: there is no playoff. Knows no library; randomness is handed in.
'use strict';

const SEATS = 4;
const CARDS_EACH = 5;
const RANKS = 'A23456789TJQK';

const deck = () => [...RANKS].flatMap((rank) => [...'SHDC'].map((suit) => rank + suit));
const value = (card) => RANKS.indexOf(card[0]);

/** What a seat may pick: a card of its hand, or the exchange of one. */
const legal = (hand) => [...hand, ...hand.map((card) => `x${card}`)];

const isLegal = (hand, pick) => hand.includes(pick[0] === 'x' ? pick.slice(1) : pick);

/** Hands and stock of a new game. */
function deal(shuffled) {
  const stock = shuffled(deck());
  return { hands: Array.from({ length: SEATS }, () => stock.splice(-CARDS_EACH)), stock, discards: [] };
}

function draw(supply, shuffled) {
  if (supply.stock.length === 0) supply.stock = shuffled(supply.discards.splice(0));
  return supply.stock.pop();
}

/**
 * One reveal: exchanges in the order of seats, the highest card wins, everybody else draws. The supply (`stock`,
 * `discards`) and the hands are changed; what everybody saw comes back.
 */
function reveal(picks, hands, supply, shuffled) {
  const shown = picks.map((pick, seat) => {
    const card = pick[0] === 'x' ? pick.slice(1) : pick;
    hands[seat].splice(hands[seat].indexOf(card), 1);
    if (card === pick) return card;
    supply.discards.push(card);
    return draw(supply, shuffled);
  });
  const best = Math.max(...shown.map(value));
  supply.discards.push(...shown);
  const winners = shown.map((card) => value(card) === best);
  hands.forEach((hand, seat) => winners[seat] || hand.push(draw(supply, shuffled)));
  return { shown, exchanged: picks.map((pick) => pick[0] === 'x'), winners };
}

module.exports = { SEATS, deal, isLegal, legal, reveal };
