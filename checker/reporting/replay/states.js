"use strict";

// States: from what each line changes to the whole table after it.

/** The value of a slot after a change: a new one, or some of its cards with others put on them. */
function changed(before, how) {
  return how.length === 1 ? how[0] : before.slice(0, 2 * how[0]) + how[1];
}

/**
 * The steps of a game: its beginning, its events, and every line with a finding, each with the table after it.
 * A table is a list of values, one a slot; what a step leaves alone is shared with the step before.
 */
function stepsOf(game) {
  const found = new Map();
  for (const finding of game.findings) {
    if (!found.has(finding.line)) found.set(finding.line, []);
    found.get(finding.line).push(finding);
  }
  const beginning = game.rows.find((row) => row.line === game.line) ?? game.rows[0];
  const steps = [];
  let values = game.first;
  for (const row of game.rows) {
    if (row.changes) {
      values = values.slice();
      for (const [slot, ...how] of row.changes) values[slot] = changed(values[slot], how);
    }
    const findings = found.get(row.line) ?? [];
    if (row.event || findings.length || row === beginning) steps.push({ row, values, findings });
  }
  return steps;
}
