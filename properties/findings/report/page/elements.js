const report = JSON.parse(document.getElementById("report").textContent), page = report.page;
const main = document.querySelector("main"), form = document.getElementById("filters");
const drawing = document.getElementById("drawing").namespaceURI;

// ---- Elements

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(name, value);
  element.append(...children.flat(Infinity));
  return element;
}
const html = (name, attributes = {}, ...children) => filled(document.createElement(name), attributes, children);
const svg = (name, attributes = {}, ...children) => filled(document.createElementNS(drawing, name), attributes, children);

const slug = (title) => title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
const section = (title, about, ...content) => html("section", {id: slug(title), "data-title": title},
  html("h2", {}, title), about ? html("p", {class: "sub"}, about) : [], content);
const legend = (...items) =>
  html("ul", {class: "legend"}, items.map(([look, words]) => html("li", {}, html("i", {"aria-hidden": "true", ...look}), words)));
const notice = (words) => html("p", {class: "note", role: "note"}, words);
// What is too wide for a phone scrolls; the keyboard gets at it too.
const wide = (name, look, ...children) => html("div", {class: "panel wide " + look, tabindex: 0, role: "region", "aria-label": name}, children);
const details = (summary, ...children) => html("details", {}, html("summary", {}, summary), children);

// ---- Figures

// 1234567 as "1 234 567", with narrow blanks.
const grouped = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, "\u202f");
// Three significant digits; JSON has no infinity, but null.
const figure = (value) => value === null ? "inf" : value >= 1e5 || (value > 0 && value < 1e-4) ? value.toExponential(2)
  : String(Number(value.toPrecision(3)));
const counted = (count, one, several) => `${grouped(count)} ${count === 1 ? one : several}`;
const seen = (counts) => Object.keys(counts).filter((name) => counts[name] > 0).join(" ");
const mode = (of, verdicts) => ({"data-f": "", "data-soc": of.soc, "data-dtype": of.dtype, "data-cube": of.cubeMathType,
  "data-verdict": verdicts && seen(verdicts)});
// Height of a bar: 0 for none, and from one eighth for a single one to 1 for the most.
const height = (count, most) => count === 0 ? 0 : Math.max(0.125, Math.log1p(count) / Math.log1p(most));
