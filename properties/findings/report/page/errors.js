// ---- Errors against bounds

function sparkline(counts) {
  const most = Math.max(...counts), bars = counts.map((count, i) => [i, (16 * height(count, most)).toFixed(1)]);
  return svg("svg", {width: 80, height: 16, viewBox: "0 0 80 16", "aria-hidden": "true"}, svg("path", {class: "spark",
    d: bars.map(([i, tall]) => tall > 0 ? `M${5 * i} 16v-${tall}h4v${tall}z` : "").join("")}));
}

const ratio = (value) => valued(value, cell(figure(value), value === null || value > 1 ? "over" : value === 0 ? "zero" : undefined));
const measure = (value) => valued(value, cell(figure(value)));

function standards(of) {
  const all = Object.entries(of), sum = (name) => all.reduce((so_far, [, count]) => so_far + count[name], 0);
  if (sum("outputs") === 0) return cell("\u2013", "zero");
  return cell(`${Number((100 * sum("met") / sum("outputs")).toPrecision(4))} %`, undefined,
    all.map(([name, {met, outputs}]) => `${name}: ${met} of ${outputs}`).join("; "));
}

function toleranceTable(rows, byLength) {
  const columns = [column("SoC", "t"), column("dtype", "t"), column("cube"), column("worst e/bound"), column("typical"), column("max ULP"),
    column("p99 ULP"), byLength ? [] : column("ULP"), column("computed in", "t"), column("gradient", "t"), byLength ? column("K from") : [],
    column("outputs"), column("elements"), column("exact equal"), column("MARE"), column("MERE"), column("RMSE"), column("standards met")];
  return table(byLength ? "Tolerance by length of sum" : "Tolerance", columns, rows.map((of) =>
    row(mode(of, of.verdicts), of.soc, cell(of.dtype, "t"), cell(of.cubeMathType), ratio(of.bound_ratio.worst), ratio(of.bound_ratio.typical),
      measure(of.ulp.max), measure(of.ulp.p99), byLength ? [] : valued(of.ulp.max, cell(sparkline(of.ulp.histogram))), cell(of.compute_format || "\u2013", "t"),
      cell(of.gradient, "t"), byLength ? valued(of.decade, cell(["10", html("sup", {}, of.decade), "\u2026"])) : [], cell(grouped(of.outputs)),
      cell(grouped(of.elements)), valued(of.exact_grid.equal, cell(`${grouped(of.exact_grid.equal)} / ${grouped(of.exact_grid.outputs)}`)),
      measure(of.mare), measure(of.mere), measure(of.rmse), standards(of.standards))), {worst: "worst e/bound"});
}

const tolerance = () => section("Tolerance by precision mode", "An error / bound of 1 is the most that exact products, added " +
  "in any order and rounded once, can lose; above 1 the gradient is wrong.", toleranceTable(report.tolerance, false),
  details("The same by the length of the sums, in decades", toleranceTable(report.tolerance_by_decade, true)));

// Error / bound against the length of the sum, both logarithmic: pixels of powers of ten. As wide as the page, so that its numbers can be read on a phone.
function scatter() {
  const width = Math.max(320, Math.min(1280, main.clientWidth - 34)), depth = 360, left = 58, right = width - 16, top = 14, bottom = depth - 40, low = -6, high = 1;
  const decades = Math.max(4, ...page.points.map((of) => Math.ceil(Math.log10(of.products))));
  const x = (products) => left + Math.log10(Math.max(products, 1)) / decades * (right - left);
  const y = (value) => top + (high - Math.min(Math.max(Math.log10(value), low), high)) / (high - low) * (bottom - top);
  const text = (attributes, ...words) => svg("text", {"text-anchor": "end", ...attributes}, words);
  const from = (first, last) => Array.from({length: last - first + 1}, (_, i) => first + i);
  const axes = [from(0, decades).map((decade) => [svg("path", {class: "axis", d: `M${x(10 ** decade)} ${top}V${bottom}`}),
      text({x: x(10 ** decade), y: bottom + 16, "text-anchor": "middle"}, "10", svg("tspan", {dy: -4, "font-size": 8}, decade))]),
    from(low, high).map((decade) => [svg("path", {class: "axis", d: `M${left} ${y(10 ** decade)}H${right}`}),
      text({x: left - 8, y: y(10 ** decade) + 4}, figure(10 ** decade))]),
    text({x: (left + right) / 2, y: depth - 6, "text-anchor": "middle"}, "products in the longest sum, K"),
    text({transform: `translate(11 ${(top + bottom) / 2}) rotate(-90)`, "text-anchor": "middle"}, "largest error / bound")];
  const drift = y(1 / Math.sqrt(10 ** decades));
  const lines = [svg("path", {d: `M${left} ${y(1)}H${right}`, stroke: "var(--bad)", "stroke-width": 1.5}),
    text({x: right, y: y(1) - 6}, "the bound"),
    svg("path", {d: `M${left} ${y(1)}L${right} ${drift}`, stroke: "var(--soft)", "stroke-width": 1.5, "stroke-dasharray": "5 4"}),
    text({x: right, y: drift + 14}, "1 / \u221aK")];
  // Modes stand side by side within a bucket, a fourth of a decade, so that none hides another.
  const numbers = new Map(), bucket = x(10 ** 0.25) - x(1);
  const points = page.points.map((of) => {
    const name = [of.soc, of.dtype, of.cubeMathType].join();
    if (!numbers.has(name)) numbers.set(name, numbers.size + 1);
    const cx = x(of.products) + 0.8 * bucket * (numbers.get(name) * 7 % 17 / 16 - 0.5);
    const words = (kind, value) => svg("title", {}, `${of.soc} ${of.dtype} cubeMathType ${of.cubeMathType}: ${kind} ${figure(value)}`);
    const ring = of.typical === 0 ? [] : svg("circle", {cx, cy: of.typical === null ? top : y(of.typical), r: 2.5, fill: "none", stroke: "var(--s2)"}, words("typical", of.typical));
    const isBeyond = of.worst === null || of.worst > 1, cy = of.worst === null ? top : of.worst === 0 ? bottom : y(of.worst);
    const dot = of.worst === 0 ? [] : isBeyond ? svg("path", {d: `M${cx - 4} ${cy - 4}l8 8m0 -8l-8 8`, stroke: "var(--bad)", "stroke-width": 2, fill: "none"}, words("beyond the bound,", of.worst))
      : svg("circle", {cx, cy, r: 2.5, fill: "var(--s1)"}, words("worst", of.worst));
    return svg("g", mode(of), ring, dot);
  });
  return section("Error against the length of the sum", "The largest error as a share of what is admitted, a point for each mode and fourth of a decade of K. " +
    "Dashed: bounds grow with K, the errors of sums with its root.", legend([{style: "background:var(--s1);border-radius:50%"}, "worst"],
      [{style: "border:1.5px solid var(--s2);border-radius:50%"}, "typical"],
      [{class: "k cross"}, "\u2717 beyond the bound"]),
    wide("largest error / bound against K", "", svg("svg", {viewBox: `0 0 ${width} ${depth}`, width, height: depth, role: "img", "aria-label":
      "largest error divided by its bound, against the number of products in the longest sum"}, axes, lines, points)));
}

function distance(bucket, last) {
  if (bucket < 2) return bucket === 0 ? "0 ULP" : "up to 1 ULP";
  const low = 2 ** (bucket - 2);
  return bucket === last ? `above ${low} ULP` : `above ${low} up to ${2 * low} ULP`;
}

// Bars of the three gradients side by side over each distance; the axis has the numbers of elements.
function histogram(counts) {
  const most = Math.max(1, ...Object.values(counts).flat()), left = 34, base = 78;
  const tall = (count) => 66 * height(count, most);
  const bars = gradients.map((gradient, i) => (counts[gradient] || []).map((count, bucket, {length}) => count === 0 ? [] :
    svg("rect", {x: left + 2 + 14 * bucket + 4 * i, y: base - tall(count), width: 3.5, height: tall(count), fill: `var(--s${i + 1})`},
      svg("title", {}, `${gradient}: ${count} elements, ${distance(bucket, length - 1)}`))));
  const decades = [...new Set([1, most > 1000 ? 10 ** Math.round(Math.log10(most) / 2) : 1, 10 ** Math.floor(Math.log10(most))])];
  const axis = decades.map((count) => [svg("path", {class: "axis", d: `M${left} ${base - tall(count)}H260`}),
    svg("text", {x: left - 4, y: base - tall(count) + 4, "text-anchor": "end"}, count < 1000 ? count : count.toExponential(0).replace("e+", "e"))]);
  const ticks = [[0, "0"], [1, "1"], [5, "16"], [10, "512"], [15, ">8k"]].map(([bucket, words]) =>
    svg("text", {x: left + 7 + 14 * bucket, y: 92, "text-anchor": "middle"}, words));
  return svg("svg", {viewBox: "0 0 264 96", role: "img", "aria-label": "elements by distance in ULP"}, axis, bars,
    svg("path", {class: "axis", d: `M${left} ${base}H260`}), ticks);
}

function histograms() {
  const panels = new Map();
  for (const one of report.tolerance.filter((row) => row.compute_format)) {
    const name = `${one.dtype}, cubeMathType ${one.cubeMathType}, in ${one.compute_format}`;
    if (!panels.has(name)) panels.set(name, {one, counts: {}});
    const {counts} = panels.get(name), before = counts[one.gradient];
    counts[one.gradient] = one.ulp.histogram.map((count, i) => count + (before ? before[i] : 0));
  }
  return section("Distance in ULP", "Elements (upwards, logarithmic) by their distance in ULP (to the right) from the correctly rounded " +
    "exact value, all products together.", legend(...gradients.map((name, i) => [{style: `background:var(--s${i + 1})`}, `${name}, ${["left", "middle", "right"][i]} bar`])),
    html("div", {class: "multiples"}, [...panels.keys()].sort().map((name) => html("div",
      {class: "panel", ...mode({...panels.get(name).one, soc: undefined})}, html("h3", {}, name), histogram(panels.get(name).counts)))));
}

