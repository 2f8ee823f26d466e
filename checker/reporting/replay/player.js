"use strict";

// The player: which game and which step are shown, and everything that changes that.

const PACE = 900; // milliseconds between two steps while a game without times plays
const QUICKEST = 60; // with times it goes at the game's own pace, within these bounds
const SLOWEST = 2000;
const QUIET = 250; // milliseconds without a step before the screen reader and the address follow

const data = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);

const player = {
  game: null,
  number: 0,
  steps: [],
  clocks: null,
  step: 0,
  reveal: false,
  timer: null,
  settling: null,
};

const log = new LogList(at("log"), (step) => go(step));

// -- what is shown -----------------------------------------------------------------------------------------------------

function openGame(number, step = null) {
  stop();
  const game = data.games[number];
  Object.assign(player, { game, number, steps: stepsOf(game) });
  const layout = game.table === null ? null : data.tables[game.table];
  player.layout = layout;
  player.players = game.players.length === 2 ? game.players : ["A", "B"];
  player.clocks = clocksOf(player.steps, layout?.turn ?? null);
  log.fill(game, player.steps);
  heading(game);
  overview(game);
  at("game").value = String(number);
  at("place").max = String(player.steps.length - 1);
  at("table").hidden = layout === null;
  at("reveal").hidden = layout === null;
  go(step ?? opening());
}

/** Where a game opens: at its first finding that decides the verdict, else at its beginning. */
function opening() {
  const telling = player.steps.findIndex((step) => step.findings.some((one) => one.severity !== "note"));
  return Math.max(telling, 0);
}

function heading(game) {
  const title = at("title");
  const who = game.players.length === 2 ? game.players : [];
  title.replaceChildren(game.title ?? "A log");
  if (who.length) title.append(": ", element("bdi", {}, who[0]), " and ", element("bdi", {}, who[1]));
  const verdict = at("verdict");
  verdict.textContent = game.verdict;
  verdict.className = `badge ${game.verdict}`;
  const facts = [`${data.log}:${game.line}`, game.id, plural(game.events, "event")];
  if (game.rules && game.rules !== "standard") facts.push(`rules ${game.rules}`);
  facts.push(...game.options);
  if (game.readings.length) facts.push(`legal under ${game.readings.join(", ")}`);
  at("about").replaceChildren(...facts.filter(Boolean).flatMap((fact, n) => (n ? [" · ", element("bdi", {}, fact)] : [element("bdi", {}, fact)])));
}

function overview(game) {
  const place = at("overview");
  place.hidden = game.findings.length === 0;
  place.open = game.findings.length <= 4;
  const more = game.more ? ` and ${game.more} more that are not kept` : "";
  at("overview-title").textContent = `${plural(game.findings.length, "finding")}${more}`;
  at("overview-list").replaceChildren(...game.findings.map((finding) => {
    const button = element("button", { type: "button", class: `jump ${finding.severity}` },
      element("span", { class: "number" }, `line ${finding.line}`), " ",
      element("code", {}, finding.code), " ",
      element("span", {}, finding.message));
    button.addEventListener("click", () => visit(finding.line));
    return element("li", {}, button);
  }));
}

function go(number) {
  const last = player.steps.length - 1;
  player.step = Math.min(Math.max(number, 0), last);
  const step = player.steps[player.step];
  show(step);
  log.choose(player.step);
  const range = at("place");
  range.value = String(player.step);
  range.setAttribute("aria-valuetext", `line ${step.row.line}: ${step.row.text}`);
  at("count").textContent = `${player.step} / ${last}`;
  enable(["first", "back"], player.step > 0);
  enable(["on", "last", "run"], player.step < last);
  enable(["finding-back"], findingStep(-1) !== null);
  enable(["finding-on"], findingStep(1) !== null);
  settleSoon();
}

function show(step) {
  if (player.layout !== null) {
    drawTable(at("table"), {
      layout: player.layout,
      players: player.players,
      step,
      fresh: step.values.every((value, slot) => value === player.steps[0].values[slot]),
      clock: player.clocks?.[player.step] ?? null,
      named: cardsIn(step.row.cards ?? ""),
      reveal: player.reveal,
    });
  }
  at("now").replaceChildren(
    element("span", { class: "number" }, `line ${step.row.line}`),
    element("span", { class: "text" }, markedText(step.row.text, spansOf(step.findings))),
  );
  const [worst, ...others] = step.findings;
  at("wrong").hidden = !player.steps.some((one) => one.findings.length); // its room is kept where no line is wrong
  at("wrong").className = `wrong ${worst?.severity ?? ""}`;
  at("wrong").textContent = worst ? worst.message + (others.length ? ` (and ${others.length} more)` : "") : "";
  at("findings").replaceChildren(...step.findings.map((one) => findingCard(one, visit)));
}

/** Buttons that lead nowhere are marked so and keep the focus: a disabled one would lose it. */
function enable(ids, able) {
  for (const id of ids) at(id).setAttribute("aria-disabled", String(!able));
}

// -- going from here to there ------------------------------------------------------------------------------------------

function findingStep(direction) {
  for (let n = player.step + direction; n >= 0 && n < player.steps.length; n += direction) {
    if (player.steps[n].findings.length) return n;
  }
  return null;
}

function goFinding(direction) {
  const found = findingStep(direction);
  if (found !== null) go(found);
}

/** Goes to a line of the log, in whichever game it is; where it is no step, to the step before it. */
function visit(line) {
  let number = data.games.findLastIndex((game) => game.rows.length && game.rows[0].line <= line);
  number = Math.max(number, 0);
  if (number !== player.number) openGame(number, 0);
  go(player.steps.findLastIndex((step) => step.row.line <= line));
}

function stop() {
  clearTimeout(player.timer);
  player.timer = null;
  at("run").classList.remove("running");
  at("run").setAttribute("aria-label", "Play");
}

function toggle() {
  if (player.timer !== null) return stop();
  if (player.step >= player.steps.length - 1) return undefined;
  at("run").classList.add("running");
  at("run").setAttribute("aria-label", "Stop");
  playOn();
  return undefined;
}

function playOn() {
  player.timer = setTimeout(() => {
    go(player.step + 1);
    if (player.step >= player.steps.length - 1) stop();
    else playOn();
  }, pause());
}

/** How long to wait for the next step, in milliseconds. */
function pause() {
  const now = player.clocks?.[player.step].latest ?? null;
  const next = player.clocks?.[player.step + 1].latest ?? null;
  if (now === null || next === null) return PACE;
  return Math.min(Math.max(1000 * (next - now), QUICKEST), SLOWEST);
}

// -- what is said ------------------------------------------------------------------------------------------------------

function settleSoon() {
  clearTimeout(player.settling);
  player.settling = setTimeout(settle, QUIET);
}

/**
 * Tells the screen reader where we are, and keeps it in the page's address. The list of lines says its own line where
 * it has the focus. Not at every step: nobody can listen so fast, and some browsers refuse so many addresses.
 */
function settle() {
  const step = player.steps[player.step];
  history.replaceState(null, "", `#L${step.row.line}`);
  const line = document.activeElement === at("log") ? [] : [`Line ${step.row.line}: ${step.row.text}.`];
  at("said").textContent = [...line, ...step.findings.map(findingWords)].join(" ");
}

function plural(number, word) {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}

// -- buttons and keys --------------------------------------------------------------------------------------------------

const ACTIONS = {
  first: () => go(0),
  back: () => go(player.step - 1),
  run: toggle,
  on: () => go(player.step + 1),
  last: () => go(player.steps.length - 1),
  "finding-back": () => goFinding(-1),
  "finding-on": () => goFinding(1),
};

for (const [id, act] of Object.entries(ACTIONS)) {
  at(id).addEventListener("click", () => {
    if (at(id).getAttribute("aria-disabled") === "true") return;
    if (id !== "run") stop();
    act();
  });
}

at("place").addEventListener("input", (event) => {
  stop();
  go(Number(event.target.value));
});

at("reveal").addEventListener("click", () => {
  player.reveal = !player.reveal;
  at("reveal").setAttribute("aria-pressed", String(player.reveal));
  show(player.steps[player.step]);
});

const KEYS = {
  ArrowLeft: () => go(player.step - 1),
  ArrowRight: () => go(player.step + 1),
  "Shift+ArrowLeft": () => goFinding(-1),
  "Shift+ArrowRight": () => goFinding(1),
  Home: () => go(0),
  End: () => go(player.steps.length - 1),
  " ": toggle,
};

const LOG_KEYS = {
  ...KEYS,
  ArrowUp: KEYS.ArrowLeft,
  ArrowDown: KEYS.ArrowRight,
  PageUp: () => go(player.step - 10),
  PageDown: () => go(player.step + 10),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const target = event.target;
  const own = target.closest?.("select, input, summary");
  if (own && !(own.matches("input") && event.shiftKey)) return;
  if (event.key === " " && target.closest?.("button")) return;
  const keys = target === at("log") ? LOG_KEYS : KEYS;
  const act = keys[`${event.shiftKey ? "Shift+" : ""}${event.key}`];
  if (!act) return;
  event.preventDefault();
  if (act !== toggle) stop();
  act();
});

// -- the beginning -----------------------------------------------------------------------------------------------------

function lineOfAddress() {
  const match = /^#L(\d+)$/u.exec(location.hash);
  return match ? Number(match[1]) : null;
}

window.addEventListener("hashchange", () => {
  const line = lineOfAddress();
  if (line !== null && line !== player.steps[player.step].row.line) visit(line);
});

if (data.games.length > 1) {
  at("chooser").hidden = false;
  at("game").append(...data.games.map((game, n) => {
    const who = game.players.length === 2 ? `${game.players[0]} and ${game.players[1]}, ` : "";
    const found = game.findings.length ? `, ${plural(game.findings.length + game.more, "finding")}` : "";
    return element("option", { value: n }, `${n + 1}: ${who}line ${game.line}, ${game.verdict}${found}`);
  }));
  at("game").addEventListener("change", (event) => openGame(Number(event.target.value)));
}

{
  const line = lineOfAddress() ?? data.at;
  openGame(0);
  if (line !== null) visit(line);
}
