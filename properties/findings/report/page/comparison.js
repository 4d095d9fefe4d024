// ---- Earlier runs

const gradients = ["gradInput", "gradWeight", "gradBias"];

function changes(title, all) {
  return all.length === 0 ? [] : [html("h3", {}, title), table(title, [column("signature", "t"), column("cases before"), column("cases now"), column("reason", "t")],
    all.map((of) => row({}, of.signature, cell(grouped(of.cases_before)), cell(grouped(of.cases_now)), cell(of.reason, "t long"))))];
}

const inMode = (of) => [of.soc, cell(of.dtype, "t"), cell(of.cubeMathType)];

function slower(all) {
  const change = (of) => of.seconds_now / of.seconds_before;
  return all.length === 0 ? [] : [html("h3", {}, "Slower"), table("Slower", [column("SoC", "t"), column("dtype", "t"), column("cubeMathType"),
    column("before, ms", undefined, "median of a call in the earlier run"), column("now, ms", undefined, "median of a call in this run"),
    column("times as long"), column("calls now")], all.map((of) => row(mode(of), ...inMode(of), cell(figure(1000 * of.seconds_before)),
      cell(figure(1000 * of.seconds_now)), cell(figure(change(of))), cell(grouped(of.calls_now)))), {worst: "times as long"})];
}

function nearer(all) {
  return all.length === 0 ? [] : [html("h3", {}, "Nearer to the bound"), table("Nearer to the bound", [column("SoC", "t"), column("dtype", "t"),
    column("cubeMathType"), column("computed in", "t"), column("gradient", "t"), column("worst before"), column("worst now"), column("typical before"),
    column("typical now")], all.map((of) => row(mode(of), ...inMode(of), cell(of.compute_format || "\u2013", "t"), cell(of.gradient, "t"),
      ratio(of.worst_before), ratio(of.worst_now), ratio(of.typical_before), ratio(of.typical_now))), {worst: "worst now"})];
}

// The largest error / bound of each gradient over the runs: another shape and dash for each.
function trendChart(trend) {
  const width = Math.max(320, Math.min(720, main.clientWidth - 34)), depth = 200, left = 50, right = width - 14, top = 12, bottom = depth - 26, low = -3, high = 1;
  const x = (i) => trend.length === 1 ? (left + right) / 2 : left + 10 + i / (trend.length - 1) * (right - left - 20);
  const y = (value) => top + (high - Math.min(Math.max(value === null ? high : Math.log10(value), low), high)) / (high - low) * (bottom - top);
  const text = (attributes, words) => svg("text", attributes, words);
  const axes = [-3, -2, -1, 0, 1].map((decade) => [svg("path", {class: decade === 0 ? "bound" : "axis", d: `M${left} ${y(10 ** decade)}H${right}`}),
    text({x: left - 6, y: y(10 ** decade) + 4, "text-anchor": "end"}, figure(10 ** decade))]);
  const shapes = ["M-4 -4h8v8h-8z", "M0 -5l5 9h-10z", "M0 -5l5 5l-5 5l-5 -5z"], dashes = ["", "6 3", "2 3"];
  const lines = gradients.map((gradient, place) => {
    const points = trend.map((of, i) => [i, of.worst[gradient]]).filter(([, value]) => value !== undefined);
    const colour = `var(--s${place + 1})`;
    return [svg("path", {d: points.map(([i, value], at) => `${at ? "L" : "M"}${x(i)} ${y(value)}`).join(""), fill: "none", stroke: colour, "stroke-dasharray": dashes[place]}),
      points.map(([i, value]) => svg("path", {d: shapes[place], transform: `translate(${x(i)} ${y(value)})`, fill: colour},
        svg("title", {}, `${trend[i].name}: ${gradient} ${figure(value)}`)))];
  });
  const numbers = trend.map((of, i) => text({x: x(i), y: bottom + 18, "text-anchor": "middle"}, i + 1));
  return html("div", {class: "panel"}, legend(...gradients.map((name, i) => [{style: `background:var(--s${i + 1})`}, ["\u25a0 ", "\u25b2 ", "\u25c6 "][i] + name])),
    svg("svg", {viewBox: `0 0 ${width} ${depth}`, width, height: depth, role: "img", "aria-label": "largest error / bound by run"}, axes, lines, numbers));
}

function comparison() {
  const {baseline: of, trend} = report;
  if (!of) return [];
  const sentence = `${counted(of.new.length, "new finding", "new findings")}, ${of.gone.length} gone, ${of.remaining.length} remaining; ` +
    `${counted(of.slower.length, "mode", "modes")} slower; ${counted(of.nearer.length, "row", "rows")} nearer to the bound. Medians and typical errors that have grown by a fourth count.`;
  const cells = trend.map((one, i) => row({}, i + 1, cell(one.name, "t"), cell(one.started || "\u2013", "t"), cell(grouped(one.judged)), cell(grouped(one.disagreements)),
    cell(grouped(one.findings)), gradients.map((gradient) => one.worst[gradient] === undefined ? cell("\u2013", "zero") : ratio(one.worst[gradient])),
    cell(one.seconds ? figure(1000 * one.seconds) : "\u2013")));
  return section("Compared with earlier runs", `Since ${of.name}: ${sentence}`, of.notes.map(notice), changes("New findings", of.new), changes("Gone findings", of.gone),
    changes("Remaining findings", of.remaining), slower(of.slower), nearer(of.nearer), html("h3", {}, "Trend"), trendChart(trend), table("Trend", [column("run"), column("folder", "t"), column("began", "t"),
      column("judged"), column("disagreements"), column("findings"), gradients.map((name) => column(name, undefined, `largest error / bound of ${name}`)),
      column("median call, ms")], cells));
}
