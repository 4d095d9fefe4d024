// ---- What a wrong gradient looks like. Texts of the picture are numbers in words; its lengths were checked when it was read.

const product = (lengths) => lengths.reduce((so_far, length) => so_far * length, 1);
// Row-major: the coordinate of the i-th element of a box.
function coordinate(size, from, i) {
  const at = [];
  for (let axis = size.length - 1; axis >= 0; --axis) {
    at.unshift(from[axis] + i % size[axis]);
    i = Math.floor(i / size[axis]);
  }
  return at;
}
const element = (name, at) => `${name}[${at.join(",")}]`;
const short = (words) => words.length <= 9 ? words : String(Number(Number(words).toPrecision(6)));

// The planes of a drawn tensor, a small table each; those next to each other whose elements are all quiet in one line.
// `draw(i, at)`: the cell of the i-th element; `isQuiet(i)`: it is a zero of which nothing is to be seen.
function planes({name, axes, shape, from, size}, draw, isQuiet) {
  const rank = size.length, rows = rank > 1 ? size[rank - 2] : 1, columns = size[rank - 1], inPlane = rows * columns;
  const plane = (first) => {
    const outer = coordinate(size, from, first).slice(0, Math.max(0, rank - 2));
    const title = `${name}[${[...outer, ...Array(Math.min(rank, 2)).fill(":")].join(",")}]`;
    const line = (r) => html("tr", {}, rank > 1 ? html("th", {scope: "row"}, from[rank - 2] + r) : [],
      Array.from({length: columns}, (_, c) => {
        const i = first + r * columns + c;
        return draw(i, coordinate(size, from, i));
      }));
    return html("table", {class: "plane"}, html("caption", {}, title), html("thead", {}, html("tr", {},
      rank > 1 ? html("td", {}, `${axes[rank - 2]} \\ ${axes[rank - 1]}`) : [],
      Array.from({length: columns}, (_, c) => html("th", {scope: "col"}, from[rank - 1] + c)))),
      html("tbody", {}, Array.from({length: rows}, (_, r) => line(r))));
  };
  const isZero = (first, count) => Array.from({length: count}, (_, i) => first + i).every(isQuiet);
  const folded = (at, low, high) => html("p", {class: "folded"}, `${name}[${[...at, low === high ? low : `${low}..${high}`].join(",")}]: 0`);
  // What lies at a position along the first axes, from the outermost inwards.
  const parts = (at, first) => {
    const axis = at.length, inside = product(size.slice(axis + 1)), made = [];
    for (let i = 0; i < size[axis]; ++i) {
      let end = i;
      while (end < size[axis] && isZero(first + end * inside, inside)) ++end;
      if (end > i) made.push(folded(at, from[axis] + i, from[axis] + end - 1));
      if (end === size[axis]) break;
      i = end;
      made.push(inside === inPlane ? plane(first + i * inside) : parts([...at, from[axis] + i], first + i * inside));
    }
    return made;
  };
  const all = rank <= 2 ? plane(0) : isZero(0, product(size)) ? html("p", {class: "folded"}, `${name}: 0`) : parts([], 0);
  const isPart = shape.some((length, axis) => length !== size[axis]);
  return html("figure", {class: "tensor"}, html("figcaption", {}, html("b", {}, name), ` ${axes.join(" \u00d7 ")}: ${shape.join(" \u00d7 ")}`,
    isPart ? html("span", {class: "crop"}, `: cut out from [${from.join(",")}], ${size.join(" \u00d7 ")}`) : []), html("div", {class: "planes"}, all));
}

const marks = {r: ["", "right"], w: ["\u2717 ", "wrong"], n: ["? ", "not compared"]};

function computedPlanes({computed, exact, expected, bound, states, element: worst}) {
  const isWorst = (at) => at.every((place, axis) => place === worst[axis]);
  return planes(computed, (i, at) => {
    const [mark, state] = marks[states[i]] || marks.n;
    const tip = `${element(computed.name, at)}: ${state}; computed ${computed.values[i]}, expected ${expected[i]}` +
      (Number(exact[i]) === Number(expected[i]) ? "" : `, exact ${exact[i]}`) + (bound[i] ? `, admitted error ${bound[i]}` : "");
    return html("td", {class: states[i] === "w" ? isWorst(at) ? "w worst" : "w" : "", "data-tip": tip}, html("b", {}, mark + short(computed.values[i])),
      html("span", {}, short(expected[i])), html("span", {}, bound[i] ? "\u00b1 " + short(bound[i]) : "\u2013"));
  }, (i) => states[i] === "r" && computed.values[i] === "0");
}

// An operand, with those of its elements marked that meet in the worst element of the gradient.
function operandPlanes(operand, met) {
  const places = new Set(met.map((at) => at.join()));
  return planes(operand, (i, at) => {
    const meets = places.has(at.join());
    return html("td", {class: meets ? "met" : undefined, "data-tip": `${element(operand.name, at)} = ${operand.values[i]}` +
      (meets ? ", meets the worst element" : "")}, (meets ? "\u25c6 " : "") + short(operand.values[i]));
  }, (i) => operand.values[i] === "0");
}

function products({products: all, product_count, operands, element: worst, output}, most = 12) {
  const name = (place) => (operands[place] || {}).name;
  if (product_count === 0) {
    return html("p", {class: "sub"}, `No product other than zero belongs to ${element(output, worst)}.`);
  }
  const words = ({grad_output, other, value}) => element(name(0), grad_output) +
    (other.length ? ` \u00d7 ${element(name(1), other)} = ${value}` : ` = ${value}`);
  return [html("p", {class: "sub"}, `${counted(product_count, "product belongs", "products belong")} to ${element(output, worst)}:`),
    html("ul", {class: "products"}, all.slice(0, most).map((one) => html("li", {}, html("code", {}, words(one))))),
    product_count > most ? html("p", {class: "sub"}, `and ${grouped(product_count - most)} more`) : []];
}

// Where the first case is wrong: of each bin of positions, which share of its elements.
function heatMap({axes, shape, wrong, not_compared, row_axis, column_axis, counts, per_axis}) {
  const isLine = row_axis === column_axis, columns = per_axis[column_axis].length, rows = counts.length / columns;
  const first = (bin, bins, length) => Math.ceil(bin * length / bins);
  const span = (axis, bin) => {
    const bins = per_axis[axis].length, from = first(bin, bins, shape[axis]), to = first(bin + 1, bins, shape[axis]) - 1;
    return [to - from + 1, `${axes[axis]} ${from === to ? from : `${from} to ${to}`}`];
  };
  const side = 18, left = 46, top = 22, rest = product(shape) / shape[column_axis] / (isLine ? 1 : shape[row_axis]);
  const cells = counts.map((count, i) => {
    const [tall, rowWords] = isLine ? [1, ""] : span(row_axis, Math.floor(i / columns)), [broad, columnWords] = span(column_axis, i % columns);
    const all = tall * broad * rest, share = count / all, x = left + side * (i % columns), y = top + side * Math.floor(i / columns);
    const mark = count === 0 ? "\u00b7" : count === all ? "\u25a0" : String(Math.floor(10 * share));
    return svg("g", {}, svg("rect", {x, y, width: side - 1, height: side - 1, class: "heat", style: `fill-opacity:${count ? 0.12 + 0.33 * share : 0}`}),
      svg("text", {x: x + side / 2 - 0.5, y: y + 13, "text-anchor": "middle", class: "mark"}, mark),
      svg("title", {}, `${[rowWords, columnWords].filter(Boolean).join(", ")}: ${count} of ${all} elements wrong`));
  });
  const ends = (axis) => [0, shape[axis] - 1], width = left + side * columns, depth = top + side * rows;
  const text = (attributes, words) => svg("text", attributes, words);
  const labels = [text({x: left, y: 14}, `${axes[column_axis]} ${ends(column_axis)[0]}`),
    columns > 5 ? text({x: width, y: 14, "text-anchor": "end"}, ends(column_axis)[1]) : [],
    isLine ? [] : [text({x: left - 5, y: top + 13, "text-anchor": "end"}, `${axes[row_axis]} 0`),
      rows > 1 ? text({x: left - 5, y: depth - 5, "text-anchor": "end"}, ends(row_axis)[1]) : []]];
  const total = product(shape), others = axes.map((name, axis) => [name, axis]).filter(([, axis]) => axis !== row_axis && axis !== column_axis && shape[axis] > 1);
  const name = `${counted(wrong, "element", "elements")} of ${grouped(total)} wrong` + (not_compared ? `, ${grouped(not_compared)} not compared` : "");
  return html("figure", {class: "tensor"}, html("figcaption", {}, html("b", {}, "The case that showed it first"), ` ${axes.join(" \u00d7 ")}: ${shape.join(" \u00d7 ")}; ${name}`),
    html("div", {class: "wide", tabindex: 0, role: "region", "aria-label": "map of wrong elements"},
      svg("svg", {viewBox: `0 0 ${Math.max(width, 120)} ${depth}`, width: Math.max(width, 120), height: depth, role: "img", "aria-label": name}, cells, labels)),
    html("p", {class: "sub"}, "\u00b7 none wrong, \u25a0 all wrong, a digit: tenths that are wrong",
      others.map(([axis, i]) => `; along ${axis}: ${per_axis[i].join(", ")}`)));
}

function picture(of) {
  const met = [of.products.map((one) => one.grad_output), of.products.map((one) => one.other)];
  return html("div", {class: "picture"},
    html("p", {class: "sub"}, `The smallest case of ${of.signature}, multiplied in ${of.compute_format}. In each cell of the output: computed, expected, largest admitted error.`),
    legend([{class: "k w"}, "\u2717 wrong"], [{class: "k w worst"}, "framed: furthest from right"], [{class: "k met"}, "\u25c6 meets that element"]),
    html("div", {class: "tensors"}, computedPlanes(of), of.operands.map((operand, i) => operandPlanes(operand, met[i] || []))), products(of),
    of.map ? heatMap(of.map) : html("p", {class: "sub"}, `No map of the case that showed it first: ${of.why_no_map}.`));
}
