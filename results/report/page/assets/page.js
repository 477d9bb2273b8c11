"use strict";
(() => {
  // digits and format write numbers as the report's own tables do.
  const digits = v => {
    const size = Math.abs(v);
    if (v === 0) return "0";
    if (size >= 999.5) return Math.round(v).toLocaleString("en-US");
    if (size >= 99.95) return v.toFixed(0);
    if (size >= 9.995) return v.toFixed(1);
    if (size >= 0.01) return v.toFixed(2);
    return String(Number(v.toPrecision(2)));
  };
  const seconds = v => {
    const size = Math.abs(v);
    if (v === 0) return "0 s";
    if (size < 999.5e-9) return digits(v * 1e9) + " ns";
    if (size < 999.5e-6) return digits(v * 1e6) + " µs";
    if (size < 0.9995) return digits(v * 1e3) + " ms";
    return digits(v) + " s";
  };
  const bytes = v => {
    const units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let i = 0;
    for (; i < units.length - 1 && Math.abs(v) >= 1000; i++) v /= 1024;
    return digits(v) + " " + units[i];
  };
  const format = (v, unit) => {
    if (v === null || v === undefined) return "–";
    switch (unit) {
    case "s": case "s/request": return seconds(v);
    case "bytes": case "bytes/request": return bytes(v);
    case "ratio": return digits(100 * v) + " %";
    case "elapsed": return v < 120 ? digits(v) + " s" : Math.floor(v / 60) + ":" + String(Math.floor(v % 60)).padStart(2, "0") + " min";
    case "percentile": return Number((100 * (1 - 1 / v)).toPrecision(6)) + " %";
    case "plain": if (Number.isInteger(v)) return v.toLocaleString("en-US");
    }
    return digits(v);
  };
  const short = (v, unit) => format(v, unit).replace(/^(-?[\d,]*\.\d*?)0+(?=\D|$)/, "$1").replace(/\.(?=\D|$)/, "");

  const paint = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const element = (tag, text, className) => {
    const e = document.createElement(tag);
    if (text !== undefined) e.textContent = text;
    if (className) e.className = className;
    return e;
  };

  // clipped draws within the plot.
  const clipped = draw => u => {
    const { ctx } = u;
    ctx.save();
    ctx.beginPath();
    ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
    ctx.clip();
    draw(u, ctx, devicePixelRatio);
    ctx.restore();
  };
  const toneOf = kind => paint({ launch: "--soft", fault: "--bad", flags: "--warn", trip: "--bad" }[kind]);

  // under draws the bands and marks of a chart beneath its grid and lines.
  const under = chart => clipped((u, ctx, ratio) => {
    const { top, height } = u.bbox;
    ctx.fillStyle = paint("--panel");
    (chart.bands || []).forEach(b => {
      const from = u.valToPos(b.from, "x", true);
      if (b.filled) ctx.fillRect(from, top, u.valToPos(b.to, "x", true) - from, height);
    });
    (chart.marks || []).forEach(m => {
      const x = Math.round(u.valToPos(m.x, "x", true)) + 0.5;
      ctx.strokeStyle = toneOf(m.kind);
      ctx.setLineDash(m.kind === "launch" ? [2 * ratio, 4 * ratio] : []);
      ctx.lineWidth = ratio;
      ctx.beginPath();
      ctx.moveTo(x, top);
      ctx.lineTo(x, top + height);
      ctx.stroke();
    });
  });

  // words names bands and marks, above the grid.
  const words = chart => clipped((u, ctx, ratio) => {
    const { left, top, width, height } = u.bbox;
    ctx.font = 11 * ratio + "px system-ui, sans-serif";
    ctx.fillStyle = paint("--soft");
    (chart.bands || []).forEach(b => {
      const from = u.valToPos(b.from, "x", true), room = u.valToPos(b.to, "x", true) - from - 8 * ratio;
      if (ctx.measureText(b.label).width <= room) ctx.fillText(b.label, from + 4 * ratio, top + 12 * ratio);
    });
    (chart.marks || []).forEach(m => {
      if (m.kind !== "flags" && m.kind !== "trip") return;
      const x = u.valToPos(m.x, "x", true), toTheLeft = x > left + width / 2;
      ctx.fillStyle = toneOf(m.kind);
      ctx.textAlign = toTheLeft ? "right" : "left";
      ctx.fillText(m.label, x + (toTheLeft ? -4 : 4) * ratio, top + height - (m.kind === "trip" ? 18 : 4) * ratio);
    });
  });

  // decades keeps the powers of ten of a log axis, with 2 and 5 where it spans few.
  const decades = (u, at) => {
    const few = Math.log10(at[at.length - 1] / at[0]) < 2.2;
    return at.map(v => {
      const lead = Math.round(v / Math.pow(10, Math.floor(Math.log10(v) + 1e-9)));
      return lead === 1 || few && (lead === 2 || lead === 5) ? v : null;
    });
  };
  const axis = (unit, log, size) => {
    const filter = log ? decades : (u, at) => at;
    return {
      incrs: unit === "bytes" && !log ? [...Array(50).keys()].map(e => 2 ** e) : undefined,
      stroke: paint("--soft"), size, font: "12px system-ui, sans-serif", filter,
      grid: { stroke: paint("--grid"), width: 1, filter }, ticks: { stroke: paint("--grid"), width: 1, size: 4, filter },
      values: (u, at) => at.map(v => v === null ? "" : short(v, unit)),
    };
  };

  const series = (l, chart) => ({
    label: l.name, stroke: paint("--tone" + l.tone), width: l.dots ? 0 : 2, dash: l.dash && !l.dots ? [6, 4] : undefined,
    paths: l.dots ? () => null : undefined,
    points: l.dots ? { show: true, size: l.dash ? 6 : 7, width: 1.5, fill: l.dash ? paint("--paper") : paint("--tone" + l.tone) } :
      { show: l.x.length < 2 || chart.id.startsWith("sweep") ? true : undefined, size: 5 },
    value: (u, v) => format(v, chart.yunit),
  });

  const ranges = (chart, values) => {
    let low = Infinity, high = -Infinity;
    for (const v of values) if (v !== null && (!chart.log || v > 0)) { low = Math.min(low, v); high = Math.max(high, v); }
    if (low > high) return [1, 10];
    if (chart.log) {
      const room = low === high ? 1.5 : Math.pow(high / low, 0.04);
      return [low / room, high * room];
    }
    const room = (high - low) * 0.05 || Math.abs(high) * 0.1 || 1;
    return [low >= 0 ? 0 : low - room, high + room];
  };

  const options = (chart, width) => {
    const y = ranges({ log: chart.ylog }, chart.lines.flatMap(l => l.y));
    y[0] = Math.max(y[0], chart.ymin || -Infinity);
    if (chart.bands && !chart.ylog) y[1] += (y[1] - y[0]) * 0.15; // for their names
    const x = ranges({ log: chart.xlog }, chart.lines.flatMap(l => l.x));
    if (chart.xunit === "percentile") x[0] = 1;
    return {
      width, height: chart.height + 10,
      cursor: { drag: { x: true, y: false }, points: { size: 8 }, focus: { prox: 24 } },
      focus: { alpha: 0.35 },
      legend: { live: !chart.pick, markers: { width: 3, dash: (u, i) => chart.lines[i - 1].dash ? "dashed" : "solid" } },
      scales: {
        x: { time: false, distr: chart.xlog ? 3 : 1, range: (u, min, max) => min === null || u.zoomed !== true ? x : [min, max] },
        y: { distr: chart.ylog ? 3 : 1, range: () => y },
      },
      axes: [axis(chart.xunit, chart.xlog, 30), axis(chart.yunit, chart.ylog, innerWidth < 720 ? 56 : 64)],
      series: [{ label: chart.xunit === "percentile" ? "percentile" : chart.xunit === "elapsed" ? "time" : "at", value: (u, v) => format(v, chart.xunit) },
        ...chart.lines.map(l => series(l, chart))],
      hooks: { drawClear: [under(chart)], drawAxes: [words(chart)], setSelect: [u => { u.zoomed = true; }] },
    };
  };

  const built = [];
  const build = figure => {
    const chart = JSON.parse(figure.querySelector('script[type="application/json"]').textContent);
    const live = figure.querySelector(".live"), still = figure.querySelector(".still"), legend = figure.querySelector(".legend");
    live.hidden = false;
    // A null is a gap, also across the instants that only other lines have (mode 2).
    const data = uPlot.join(chart.lines.map(l => [l.x, l.y]), chart.lines.map(() => [0, 2]));
    const u = new uPlot(options(chart, live.clientWidth), data, live);
    u.over.addEventListener("dblclick", () => { u.zoomed = false; u.setData(data); });
    still.hidden = legend.hidden = true;
    const entry = { figure, u, width: live.clientWidth };
    built.push(entry);
    if (chart.pick) picker(u, figure);
    return entry;
  };

  // picker shows the numbers of the block that was clicked on, or reached by
  // the arrow keys.
  const blocks = document.getElementById("block-data") && JSON.parse(document.getElementById("block-data").textContent);
  let at = -1, chosen = null;
  const picker = (u, figure) => {
    chosen = u;
    u.over.addEventListener("click", e => show(nearest(u.posToVal(e.clientX - u.over.getBoundingClientRect().left, "x"))));
    if (figure.dataset.keys) return;
    figure.dataset.keys = "1";
    figure.closest(".picker").addEventListener("keydown", e => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
      if (!step) return;
      e.preventDefault();
      show(Math.min(Math.max(at + step, 0), blocks.start.length - 1));
    });
  };
  const nearest = x => {
    let best = 0;
    blocks.start.forEach((s, i) => { if (Math.abs(s - x) < Math.abs(blocks.start[best] - x)) best = i; });
    return best;
  };
  const show = i => {
    at = i;
    const list = element("dl");
    for (const f of blocks.fields) {
      if (f.values[i] === null) continue;
      const entry = element("div");
      entry.append(element("dt", f.name), element("dd", format(f.values[i], f.unit)));
      list.append(entry);
    }
    const to = document.querySelector(".picked");
    to.replaceChildren(element("h3", "Block " + (i + 1) + " of " + blocks.start.length + ": " + blocks.arms[blocks.arm[i]]), list);
    if (blocks.notes[i]) to.append(element("p", blocks.notes[i], "reason"));
    if (chosen) {
      chosen.setCursor({ left: chosen.valToPos(blocks.start[i], "x"), top: chosen.cursor.top < 0 ? 10 : chosen.cursor.top });
    }
  };

  const figures = [...document.querySelectorAll("figure.figure")];
  const rebuild = () => {
    built.splice(0).forEach(e => e.u.destroy());
    figures.forEach(build);
  };
  figures.forEach(build);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", rebuild);
  new ResizeObserver(() => {
    for (const e of built) {
      const width = e.figure.clientWidth;
      if (width && width !== e.width) { e.width = width; e.u.setSize({ width, height: e.u.height }); }
    }
  }).observe(document.body);
})();
