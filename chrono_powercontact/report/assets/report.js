/* Draws the charts of a page and copies tables and commands. */
(() => {
  "use strict";
  const dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
  const ink = dark ? "#a7b0bc" : "#5b6470";
  const grid = { stroke: dark ? "#343c46" : "#e5e7eb", width: 1 };
  const short = (value) => (value === null || value === undefined ? "" : String(Number(value.toPrecision(5))));

  /* Curves with their own x, over one growing x. */
  const joined = (curves) => uPlot.join(curves.map((curve) => {
    const x = [];
    const y = [];
    curve.x.forEach((value, i) => {
      if (x.length && value === x[x.length - 1]) y[y.length - 1] = curve.y[i];
      else { x.push(value); y.push(curve.y[i]); }
    });
    return [x, y];
  }));

  /* A range that uPlot can mark: its marks are never closer than 1e-32, nor closer than numbers can differ. */
  const ranged = (_, low, high) => {
    if (low === null || high === null) return [0, 1];
    const least = Math.max(1e-9 * Math.max(Math.abs(low), Math.abs(high)), 1e-20);
    if (high - low < least) return [low - least, high + least];
    return uPlot.rangeNum(low, high, 0.1, true);
  };

  /* Of a logarithmic axis twelve decades are shown: uPlot cannot mark 1e-30. */
  const decades = (_, low, high) => {
    if (low === null || high === null) return [1, 10];
    const top = Math.max(high, 1e-6);
    return uPlot.rangeLog(Math.max(low, 1e-12 * top), top, 10, true);
  };

  const readable = (colour) => (dark && ["#000000", "#1f2933"].includes(colour) ? "#e6e9ee" : colour);

  const RANGES = { 1: { range: ranged }, 3: { distr: 3, range: decades } };

  const draw = (place, chart) => {
    const size = () => ({ width: Math.max(place.clientWidth, 220), height: 230 });
    const axis = { stroke: ink, grid, ticks: grid, labelGap: 0, labelSize: 18, values: (_, ticks) => ticks.map(short) };
    const series = chart.curves.map((curve) => ({
      label: curve.label || chart.y || "value", stroke: readable(curve.colour), width: curve.dots ? 0 : 1.5, spanGaps: true,
      points: curve.dots ? { show: true, size: 5, fill: readable(curve.colour) } : { show: false },
      value: (_, value) => short(value),
    }));
    const plot = new uPlot({
      ...size(), series: [{ label: chart.x, value: (_, value) => short(value) }, ...series],
      axes: [{ ...axis, label: chart.x }, { ...axis, label: chart.y, size: 64 }],
      scales: { x: { time: false, distr: chart.across }, y: RANGES[chart.scale] || { distr: chart.scale } },
      cursor: { drag: { x: true, y: false } }, legend: { live: true },
    }, joined(chart.curves), place);
    new ResizeObserver(() => plot.setSize(size())).observe(place);
    place.plot = plot;
  };

  document.querySelectorAll(".charts").forEach((group) => {
    const data = JSON.parse(group.nextElementSibling.textContent);
    group.querySelectorAll(".chart").forEach((place, i) => draw(place, data[i]));
  });

  const copy = async (text, button) => {
    const said = button.textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "copied";
    } catch {
      button.textContent = "not allowed here";
    }
    setTimeout(() => { button.textContent = said; }, 1500);
  };

  document.querySelectorAll("button.copy").forEach((button) => button.addEventListener("click", () => {
    const rows = [...button.parentElement.querySelectorAll("tr")];
    copy(rows.map((row) => [...row.children].map((cell) => cell.textContent).join("\t")).join("\n"), button);
  }));
  document.querySelectorAll("button.copy-text").forEach((button) => button.addEventListener("click", () => copy(button.dataset.text, button)));

  const filter = document.querySelector(".filter");
  if (filter) {
    filter.addEventListener("input", () => {
      const word = filter.value.trim().toLowerCase();
      document.querySelectorAll(".card").forEach((card) => { card.hidden = !card.textContent.toLowerCase().includes(word); });
    });
  }
})();
