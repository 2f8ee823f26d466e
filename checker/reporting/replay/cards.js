"use strict";

// Cards as elements. A card is two characters, its rank and its suit, as in the log: "7D"; "7?" and "??" are not known.

const SUITS = {
  S: { name: "spades", color: "black", path: "M12 1.5C17 7.5 22 10.5 22 15a4.8 4.8 0 0 1-8.8 2.6q.2 3.4 2.8 4.9H8q2.6-1.5 2.8-4.9A4.8 4.8 0 0 1 2 15C2 10.5 7 7.5 12 1.5z" },
  H: { name: "hearts", color: "red", path: "M12 22C5 15.8 2 12.2 2 8.2A5.4 5.4 0 0 1 12 5.4 5.4 5.4 0 0 1 22 8.2C22 12.2 19 15.8 12 22z" },
  D: { name: "diamonds", color: "red", path: "M12 1q3.5 6.5 8.5 11-5 4.5-8.5 11-3.5-6.5-8.5-11 5-4.5 8.5-11z" },
  C: { name: "clubs", color: "black", path: "M12 1.5a4.8 4.8 0 0 1 4.3 7 4.8 4.8 0 1 1-3.1 8.5q.2 4 2.8 5.5H8q2.6-1.5 2.8-5.5a4.8 4.8 0 1 1-3.1-8.5 4.8 4.8 0 0 1 4.3-7z" },
};

const RANKS = { A: "ace", J: "jack", Q: "queen", K: "king", T: "10" };

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children);
  return made;
}

function suitSign(suit, name) {
  const space = "http://www.w3.org/2000/svg";
  const sign = document.createElementNS(space, "svg");
  sign.setAttribute("viewBox", "0 0 24 24");
  sign.setAttribute("class", name);
  sign.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", SUITS[suit].path);
  sign.append(path);
  return sign;
}

/** The cards of a slot, from the bottom to the top. */
function cardsIn(text) {
  return text.match(/../gu) ?? [];
}

/** A card in words, as a screen reader says it. */
function cardWords(card) {
  const [rank, suit] = card;
  if (card === "??") return "an unrecorded card";
  if (card === "!!") return "no card at all";
  const named = RANKS[rank] ?? rank;
  return suit in SUITS ? `${named} of ${SUITS[suit].name}` : `${named} of an unrecorded suit`;
}

/** A card that lies face up; `marks` are further classes. */
function cardFace(card, marks = "") {
  const [rank, suit] = card;
  const known = suit in SUITS;
  const made = element("span", { class: `card ${known ? SUITS[suit].color : "partly"} ${marks}`, "data-card": card });
  const corner = element("span", { class: "corner" }, element("span", { class: "rank" }, rank === "T" ? "10" : rank));
  if (known) corner.append(suitSign(suit, "small"));
  made.append(corner);
  made.append(known ? suitSign(suit, "large") : element("span", { class: "large guess" }, "?"));
  return made;
}

function cardBack() {
  return element("span", { class: "card back" });
}

function noCard() {
  return element("span", { class: "card none" });
}
