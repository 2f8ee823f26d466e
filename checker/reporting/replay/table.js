"use strict";

// The table: rows of zones as the game's layout has them, drawn anew at each step.

const MANY = 14; // cards of a hand beyond which it lies in several rows; no lawful one has so many

/** Draws a table. `view` has the layout, the players' names, the step, its clocks, and whether hidden cards show. */
function drawTable(place, view) {
  const rows = [];
  let middle = null;
  for (const line of view.layout.lines) {
    if (line.player !== null) {
      middle = null;
      rows.push(side(line, view));
      continue;
    }
    if (middle === null) {
      middle = element("div", { class: "middle" });
      rows.push(middle);
    }
    middle.append(...zonesOf(line, view));
  }
  place.replaceChildren(...rows, progress(view));
  place.setAttribute("aria-label", `The table after line ${view.step.row.line}`);
}

function side(line, view) {
  const zones = zonesOf(line, view);
  const spread = line.zones.some((zone) => zone.spread && !zone.hidden);
  const row = element("div", { class: spread ? "zones spread" : "zones piles" }, ...zones);
  const made = element("div", { class: "side" }, plate(line, view), row);
  if (!spread) row.style.setProperty("--columns", String(zones.length));
  return made;
}

/** A player's name, points and clock. */
function plate(line, view) {
  const { values } = view.step;
  const name = view.players[line.player];
  const made = element("p", { class: "plate" }, element("bdi", { class: "name", title: name }, name));
  if (line.label !== name) made.append(element("span", { class: "letter" }, line.label));
  if (view.layout.turn !== null && values[view.layout.turn] === line.player) {
    made.classList.add("turn");
    made.append(element("span", { class: "whose" }, "to act"));
  }
  for (const count of line.counts) {
    if (values[count.slot]) made.append(element("span", { class: "points" }, `${values[count.slot]} ${count.label}`));
  }
  if (view.clock) made.append(clock(view.clock, line.player, view.layout.turn !== null));
  return made;
}

/** A player's clock: in games of turns the time that these took, else the time of the latest act, and how it came. */
function clock(now, player, turns) {
  const mine = now.players[player];
  const made = element("span", { class: "clock" });
  const latest = mine.at === null ? "–" : timeWords(mine.at, now.unit);
  const main = element("span", { class: "main" }, turns ? durationWords(mine.used) : latest);
  made.append(element("span", {}, turns ? "turns" : "last act"), main);
  if (turns) made.append(element("span", {}, `last act ${latest}`));
  else if (mine.since !== null) made.append(element("span", {}, `${mine.since < 0 ? "−" : "+"}${durationWords(Math.abs(mine.since))}`));
  return made;
}

function zonesOf(line, view) {
  return line.zones
    .filter((zone) => !zone.optional || view.step.values[zone.cards] !== "")
    .map((zone) => drawZone(zone, line, view));
}

function drawZone(zone, line, view) {
  const { values } = view.step;
  const cards = cardsIn(values[zone.cards]);
  const label = zone.called === null ? zone.label : values[zone.called] || zone.label;
  const up = !zone.hidden && (zone.faced === null || Boolean(values[zone.faced]));
  const spread = zone.spread && !zone.hidden;
  const lying = spread ? fan(cards, view) : pile(cards, up, view);
  const caption = element("span", { class: "caption" }, element("span", {}, label));
  if (zone.owner !== null) caption.append(element("bdi", { class: "owner" }, view.players[values[zone.owner]] ?? ""));
  if (cards.length && !(spread && zone.optional)) caption.append(element("span", { class: "size" }, cards.length));
  const words = zoneWords(zone, label, cards, up || view.reveal, spread, line, view);
  const shape = spread ? `zone fan ${cards.length > MANY ? "many" : ""}` : "zone pile";
  const made = element("div", { class: shape, role: "img", "aria-label": words }, lying, caption);
  made.style.setProperty("--cards", String(Math.max(1, cards.length)));
  return made;
}

function marks(card, view) {
  if (!view.named.includes(card)) return "";
  return view.step.findings.some((finding) => finding.severity === "error") ? "named fault" : "named";
}

function fan(cards, view) {
  if (!cards.length) return element("span", { class: "cards" }, noCard());
  return element("span", { class: "cards" }, ...cards.map((card) => cardFace(card, marks(card, view))));
}

function pile(cards, up, view) {
  const depth = Math.min(cards.length, 5);
  const made = element("span", { class: `cards depth-${depth}` });
  const top = cards.at(-1);
  if (top === undefined) made.append(noCard());
  else if (up) made.append(cardFace(top, marks(top, view)));
  else if (view.reveal) made.append(cardFace(top, `down ${marks(top, view)}`));
  else made.append(cardBack());
  return made;
}

/** A zone in words. */
function zoneWords(zone, label, cards, seen, spread, line, view) {
  const name = zone.called === null ? zone.name : `${zone.zone} ${label}`;
  const whose = line.player !== null ? view.players[line.player] : zone.owner !== null ? view.players[view.step.values[zone.owner]] : "";
  const size = cards.length === 1 ? "1 card" : `${cards.length} cards`;
  const start = `${whose ? `${whose}, ` : ""}${name}`;
  if (!cards.length) return `${start}: empty`;
  if (spread) return `${start}: ${size}: ${cards.map(cardWords).join(", ")}`;
  if (!seen) return `${start}: ${size}, face down`;
  return `${start}: ${cardWords(cards.at(-1))}${cards.length > 1 ? `, the top of ${size}` : ""}`;
}

function progress(view) {
  const parts = view.fresh
    ? ["before the first round"]
    : view.layout.status.filter(({ slot }) => view.step.values[slot] !== "").map(({ label, slot }) => `${label} ${view.step.values[slot]}`);
  return element("p", { class: "progress" }, parts.join(" · "));
}
