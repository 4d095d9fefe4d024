// ---- Words

// One word, one meaning: what columns, tiles and marks are called. Columns show theirs when they are pointed at or have the focus.
const glossary = {
  "case": "one call with its data, or under a law: what has a verdict of its own",
  "call": "tensors, attributes and product; with other data or under a law it is another case",
  "run": "one execution of gradproof: many cases",
  "judged": "cases that ended with agreed or disagreed",
  "agreed": "everything that was checked is right",
  "disagreed": "the target is wrong: a value beyond its bound, a status that no rule admits, a broken law, a crash, a timeout",
  "refused": "a legal call that the target refused for want of resources, which the rules admit",
  "not comparable": "accepted, but the values are not defined well enough to be compared",
  "vacuous": "nothing wrong was seen, but these data could not have shown a fault",
  "skipped": "not run, or not judged for its size; the reasons are listed",
  "law": "a relation that the results of one or several calls must fulfil",
  "finding": "disagreements of one cause, shown by their smallest case",
  "signature": "what disagreements share that are kept as one file: kind, law, gradient, class of status",
  "mode": "SoC, types of the inputs and cubeMathType: what decides the arithmetic",
  "SoC": "the product that the call is made for",
  "dtype": "type of gradOutput, input and weight; mixed where they differ",
  "cube": "cubeMathType: 0 KEEP_DTYPE, 1 ALLOW_FP32_DOWN_PRECISION, 2 USE_FP16, 3 USE_HF32",
  "cubeMathType": "0 KEEP_DTYPE, 1 ALLOW_FP32_DOWN_PRECISION, 2 USE_FP16, 3 USE_HF32",
  "computed in": "format of the operands when they are multiplied",
  "gradient": "the output: gradInput, gradWeight or gradBias",
  "exact": "the value in real arithmetic, without any rounding",
  "bound": "the largest error that a correct computation can have here, in any order of summation",
  "outputs": "tensors that were compared element by element",
  "elements": "elements of these tensors",
  "K from": "products in the longest sum of an element, from this power of ten on",
  "worst e/bound": "the largest error divided by its bound; above 1 the gradient is wrong",
  "typical": "median of the outputs' largest error / bound; outputs without any error are left out",
  "max ULP": "the largest distance in units in the last place from the exact value rounded to the output's format",
  "p99 ULP": "99 % of the elements are at most this far off",
  "ULP": "elements by their distance in units in the last place; heights are logarithmic",
  "MARE": "largest relative error of an element",
  "MERE": "mean relative error of the elements",
  "RMSE": "root of the mean square error; in the units of the data, which differ from run to run",
  "exact equal": "outputs whose sums are exact in every order: those that are equal throughout / all",
  "standards met": "outputs that meet the published pass criteria; they decide nothing here",
  "tap": "a position of the kernel, and the product that it contributes to an element",
};
const meaning = (name) => glossary[name] || glossary[name.replace(/s$/, "")];

const words = () => section("Words", "What columns and marks are called.", html("dl", {class: "origin panel words"},
  Object.entries(glossary).map(([name, means]) => [html("dt", {}, name), html("dd", {}, means)])));

// The words of the element that is pointed at or has the focus, above everything, so that no table cuts them off. Escape hides them.
function tooltips() {
  const tip = html("div", {id: "tip", role: "tooltip", hidden: ""});
  const hide = () => { tip.hidden = true; };
  const show = ({target}) => {
    const of = target.closest ? target.closest("[data-tip]") : null;
    if (!of) return hide();
    tip.textContent = of.getAttribute("data-tip");
    tip.hidden = false;
    const {left, top, bottom} = of.getBoundingClientRect(), room = document.documentElement.clientWidth - tip.offsetWidth - 8;
    tip.style.left = Math.max(8, Math.min(left, room)) + "px";
    tip.style.top = (bottom + tip.offsetHeight + 8 > innerHeight ? top - tip.offsetHeight - 6 : bottom + 6) + "px";
  };
  document.body.append(tip);
  for (const kind of ["mouseover", "focusin"]) document.addEventListener(kind, show);
  document.addEventListener("keydown", ({key}) => { if (key === "Escape") hide(); });
  document.addEventListener("scroll", hide, true);
}
