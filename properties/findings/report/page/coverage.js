// ---- Where the calls have been

const sides = {both: "\u25cf", one: "\u25d0", none: "\u25cb", never: "\u2013"};

function rule(of) {
  const {demand, why_never_decides, why_never_alone} = of, mayBeKept = !of.why_never_kept;
  const means = why_never_decides || why_never_alone;
  const look = why_never_decides ? "never" : of.decided > 0 && (of.kept > 0 || !mayBeKept) ? "both"
    : of.decided > 0 || of.kept > 0 ? "one" : "none";
  return html("li", {class: look, "data-tip": means ? `${demand}: ${means}` : demand}, html("span", {}, `${sides[look]} ${of.id}`),
    html("span", {}, `${grouped(of.decided)} / ${mayBeKept ? grouped(of.kept) : "\u2013"} / ${why_never_alone ? "\u2013" : grouped(of.alone)}`));
}

const rules = () => section("Rules met from both sides", "Calls that break the rule or use what it permits / legal calls that " +
  "keep it / calls in which it decides and no other rule is broken.", legend([{class: "both"}, "\u25cf both sides"], [{class: "one"}, "\u25d0 one side only"], [{class: "none"}, "\u25cb never met"],
    [{class: "never"}, "\u2013 decides nothing by itself"]),
  html("ul", {class: "rules"}, report.coverage.rules.map(rule)), details("What each rule demands", html("dl", {class: "origin panel"},
    report.coverage.rules.map((of) => [html("dt", {}, of.id), html("dd", {}, of.demand, of.why_never_decides ? `: ${of.why_never_decides}` : "")]))));

// Classes against classes. A pair is the number of calls that met it, or why none may; null: of one dimension.
function pairs() {
  const cellSize = 17, left = 104, top = 100, size = cellSize * page.classes.length;
  const most = Math.log1p(Math.max(1, ...page.pairs.flat().filter((pair) => typeof pair === "number")));
  const look = (pair) => typeof pair === "string" ? ["var(--line)", "illegal, " + pair, "dot"]
    : pair === 0 ? ["var(--bad)", "legal, never met", "cross"]
    : [`rgba(var(--scale),${(0.15 + 0.75 * Math.log1p(pair) / most).toFixed(2)})`, `${pair} calls`];
  const rows = page.pairs.map((others, i) => {
    const at = cellSize * i, name = page.classes[i];
    return [svg("text", {x: left - 6, y: top + at + 12.5, "text-anchor": "end"}, name),
      svg("text", {transform: `translate(${left + at + 12.5} ${top - 6}) rotate(-90)`}, name), others.map((pair, j) => {
        if (pair === null) return [];
        const [fill, words, shape] = look(pair), x = left + cellSize * j, y = top + at;
        const title = svg("title", {}, `${name} \u00d7 ${page.classes[j]}: ${words}`);
        return shape === "dot" ? svg("rect", {x: x + 6, y: y + 6, width: 4, height: 4, fill}, title)
          : shape === "cross" ? svg("path", {d: `M${x + 2} ${y + 2}l12 12m0 -12l-12 12`, stroke: fill, "stroke-width": 2.5}, title)
          : svg("rect", {x, y, width: 16, height: 16, fill}, title);
      })];
  });
  const {pairs, triples} = report.coverage, shade = (colour) => ({style: "background:" + colour});
  return section("Pairs of parameters", `${pairs.hit} of ${pairs.legal} legal pairs of classes and ` +
    `${triples.hit} of ${triples.legal} legal triples were met by legal calls with elements.`,
    legend([shade("rgba(var(--scale),.2)"), "rarely"], [shade("rgba(var(--scale),.9)"), "often"],
      [{class: "k cross"}, "\u2717 never, though legal"], [{class: "k"}, "\u25aa illegal"]),
    wide("pairs of classes of calls", "matrix", svg("svg", {viewBox: `0 0 ${left + size + 2} ${top + size + 2}`, role: "img",
      "aria-label": "pairs of classes of calls, and how often each was met"}, rows)));
}
