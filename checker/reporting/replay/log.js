"use strict";

// The log: a list of its lines, in which one line is chosen at a time.

const LONG = 2000; // lines beyond which those out of sight are not laid out

class LogList {
  /** `choose` is called with a step's number when one of its lines is clicked. */
  constructor(place, choose) {
    this.place = place;
    this.rows = [];
    place.addEventListener("click", (event) => {
      const row = event.target.closest("[data-step]");
      if (row) choose(Number(row.dataset.step));
    });
  }

  /** Shows the lines of another game. */
  fill(game, steps) {
    const stepAt = new Map(steps.map((step, number) => [step.row.line, number]));
    const drawn = game.rows.map((row) => this.row(row, stepAt.get(row.line), steps));
    this.rows = [];
    for (const made of drawn) if (made.dataset.step !== undefined) this.rows[Number(made.dataset.step)] = made;
    this.place.classList.toggle("long", drawn.length > LONG);
    this.place.replaceChildren(...drawn);
    this.chosen = null;
  }

  row(row, number, steps) {
    const findings = number === undefined ? [] : steps[number].findings;
    const made = element("div", {
      role: "option",
      id: `line-${row.line}`,
      class: ["row", row.aside ? "aside" : "", row.event ? "event" : "", row.refused ? "refused" : ""].join(" ").trim(),
      "aria-selected": "false",
      "aria-disabled": number === undefined ? "true" : null,
      "data-step": number ?? null,
      "data-player": row.player ?? null,
    });
    made.append(element("span", { class: "number" }, row.line));
    made.append(element("span", { class: "text" }, markedText(row.text, spansOf(findings))));
    if (findings.length) {
      made.classList.add("found", worst(findings));
      made.append(element("span", { class: "codes" }, [...new Set(findings.map((one) => one.code))].join(" ")));
    }
    return made;
  }

  /** Marks a step's line, and scrolls the list, not the page, so that it can be seen. */
  choose(number) {
    this.chosen?.setAttribute("aria-selected", "false");
    const row = this.rows[number];
    this.chosen = row;
    row.setAttribute("aria-selected", "true");
    this.place.setAttribute("aria-activedescendant", row.id);
    const { top, bottom } = row.getBoundingClientRect();
    const frame = this.place.getBoundingClientRect();
    if (top < frame.top + 40 || bottom > frame.bottom - 40) {
      this.place.scrollTop += (top + bottom) / 2 - (frame.top + frame.bottom) / 2;
    }
  }
}

const SEVERITIES = ["error", "reading", "unknown", "warning", "note"];

/** The severity that weighs most among some findings. */
function worst(findings) {
  return SEVERITIES.find((severity) => findings.some((one) => one.severity === severity));
}
