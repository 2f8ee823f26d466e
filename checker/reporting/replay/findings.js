"use strict";

// Findings: what is wrong with a line, the clause in words, and what would have been lawful.

/** A text with the part between two columns marked; columns count characters, not halves of them. */
function markedText(text, spans) {
  const letters = Array.from(text);
  const made = document.createDocumentFragment();
  let at = 0;
  for (const { mark, severity } of spans) {
    const [start, end] = mark;
    if (start < at || start >= letters.length) continue;
    made.append(letters.slice(at, start).join(""));
    made.append(element("mark", { class: severity }, letters.slice(start, end).join("")));
    at = Math.min(end, letters.length);
  }
  made.append(letters.slice(at).join(""));
  return made;
}

/** The spans of a line that its findings speak of, in their order. */
function spansOf(findings) {
  return findings.filter((one) => one.mark).sort((one, other) => one.mark[0] - other.mark[0]);
}

/** One finding as the page shows it; `visit` goes to a line. */
function findingCard(finding, visit) {
  const made = element("article", { class: `finding ${finding.severity}` });
  made.append(
    element("h2", {},
      element("span", { class: "severity" }, finding.severity), " ",
      element("code", { class: "code" }, finding.code)),
    element("p", { class: "message" }, finding.message),
  );
  if (finding.clause) made.append(element("p", { class: "clause" }, finding.clause));
  const facts = element("dl", {});
  const fact = (name, ...content) => facts.append(element("div", {}, element("dt", {}, name), element("dd", {}, ...content)));
  if (finding.also.length) fact("also breaks", finding.also.join(", "));
  for (const related of finding.related) fact("clashes with", lineLink(related.line, visit), ` ${related.message}`);
  if (finding.legal.length) fact("lawful instead", lawful(finding));
  if (finding.readings.length) fact("lawful under", finding.readings.join(", "));
  if (finding.hint) fact("hint", finding.hint);
  if (finding.follows !== null) fact("note", "may only follow from ", lineLink(finding.follows, visit));
  if (facts.childElementCount) made.append(facts);
  return made;
}

function lawful(finding) {
  const list = element("ul", { class: "lawful" }, ...finding.legal.map((text) => element("li", {}, element("code", {}, text))));
  const more = finding.legal_total - finding.legal.length;
  if (more > 0) list.append(element("li", { class: "more" }, `and ${more} more`));
  return list;
}

function lineLink(line, visit) {
  const made = element("button", { type: "button", class: "link" }, `line ${line}`);
  made.addEventListener("click", () => visit(line));
  return made;
}

function findingWords(finding) {
  return `${finding.severity} ${finding.code}: ${finding.message}.`;
}
