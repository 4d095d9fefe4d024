// ---- Counts, laws, modes, reasons, origins

const tile = (name, value, look = "", means = meaning(name)) =>
  html("div", {class: "tile " + look, "data-tip": means}, html("b", {}, grouped(value)), html("span", {}, name));

function tiles() {
  const of = report.verdicts;
  return [html("div", {class: "tiles"}, tile("cases", report.cases), tile("agreed", of.agree, "good"),
    tile("disagreed", of.disagree, of.disagree > 0 ? "bad" : ""), tile("refused", of.refused),
    tile("not comparable", of.not_comparable), tile("vacuous", of.vacuous), tile("skipped", of.skipped)),
    report.notes.map(notice), report.health_problem === null ? [] : notice("Health: " + report.health_problem)];
}

const verdictColumns = () => Object.keys(report.verdicts).map((name) =>
  column(name.replace("_", " "), undefined, meaning(name.replace("_", " ").replace(/^(dis)?agree$/, "$&d"))));
const verdictCells = (of) => Object.entries(of).map(([name, count]) =>
  cell(grouped(count), count === 0 ? "zero" : name === "disagree" ? "over" : undefined));

function laws() {
  const sum = (counts) => Object.values(counts).reduce((so_far, count) => so_far + count, 0);
  const asked = report.laws.filter((of) => sum(of.verdicts) > 0).length;
  return section("Laws", `${asked} of ${report.laws.length} were asked. exactness and status are held to every single call; the others relate several.`,
    table("Laws", [column("law", "t"), column("cases"), verdictColumns(), column("what it says", "t")],
      report.laws.map((of) => row({"data-f": "", "data-verdict": seen(of.verdicts)}, of.name, cell(grouped(sum(of.verdicts)), sum(of.verdicts) ? undefined : "zero"),
        verdictCells(of.verdicts), cell(of.words, "t long")))));
}

const risk = () => report.residual_risk === null ? [] : section("Residual risk", "What the drawn cases exclude about the next one.",
  html("ul", {class: "panel risk"}, report.residual_risk.sentences.map((words) => html("li", {}, words))));

const modes = () => section("Verdicts by mode", "", table("Verdicts by mode",
  [column("SoC", "t"), column("dtype", "t"), column("cubeMathType"), verdictColumns()],
  report.modes.map((of) => row(mode(of, of.verdicts), of.soc, cell(of.dtype, "t"), cell(of.cubeMathType), verdictCells(of.verdicts))),
  {id: "modes", worst: "disagree"}));

function reasons() {
  const rows = Object.entries(report.reasons).flatMap(([verdict, counts]) => Object.entries(counts).map(([reason, count]) =>
    row({}, verdict.replace("_", " "), cell(grouped(count)), cell(reason, "t long"))));
  return rows.length === 0 ? [] : section("What was not judged, and why", "",
    table("What was not judged", [column("verdict", "t"), column("cases"), column("reason", "t")], rows, {worst: "cases"}));
}

// Hundreds of shards tell the same but for their times.
function origins(most = 20) {
  const all = page.origins, list = (lines) => html("dl", {class: "origin panel"},
    lines.map(([name, value]) => [html("dt", {}, name), html("dd", {}, html("code", {}, value))]));
  return all.length === 0 ? [] : section("Where these results come from", all.length > most ?
    `${most} of ${all.length} runs; report.json has all.` : "", all.slice(0, most).map(list));
}
