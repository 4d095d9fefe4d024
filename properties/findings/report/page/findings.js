// ---- Findings

// Drawn when it is opened: a page may hold hundreds.
function pictureOf(of, isOpen) {
  if (!of.picture) return [];
  const made = details("What is wrong where");
  const draw = () => { if (made.open && made.children.length === 1) made.append(picture(of.picture)); };
  made.addEventListener("toggle", draw);
  made.open = isOpen;
  draw();
  return made;
}

// All modes that occur, apart by blanks: a filter shows the finding where one of them is chosen.
function finding(of, place) {
  const all = (name) => [...new Set(of.modes.map((one) => one[name]))].join(" ");
  const share = 100 * of.cases / Math.max(1, report.verdicts.disagree);
  return html("article", {class: "finding", ...mode({soc: all("soc"), dtype: all("dtype"), cubeMathType: all("cubeMathType")}),
    "data-verdict": "disagree"},
    html("h3", {}, of.signature), html("p", {class: "sub"}, `${counted(of.cases, "case", "cases")} in ${counted(of.modes.length, "mode", "modes")}, ` +
      `${figure(share)} % of all disagreements`),
    html("p", {}, of.reason), of.call ? html("p", {class: "call"}, of.call, of.data ? html("span", {}, of.data) : []) : [], of.diagnosis.length ? html("ul", {}, of.diagnosis.map((words) => html("li", {}, words))) : [],
    html("div", {class: "command"}, html("code", {}, of.replay), html("button", {type: "button", class: "copy"}, "Copy")),
    pictureOf(of, place < 3), of.case ? details(of.minimised ? "Minimised case" : "Case (not minimal)", html("pre", {tabindex: 0}, of.case)) : [],
    of.others.length ? details(`And ${of.others.length} more of the same cause`,
      html("ul", {}, of.others.map((one) => html("li", {}, `${one.signature}, ${counted(one.cases, "case", "cases")}: `, html("code", {}, one.replay))))) : []);
}

// Thousands of signatures mean a broken target, not as many findings.
function findings(most = 300) {
  const all = report.findings;
  return all.length === 0 ? [] : section("Findings", "One for each cause, those with the most cases first.", all.slice(0, most).map(finding),
    all.length > most ? html("p", {}, `${all.length - most} more are in report.json.`) : []);
}
