/* Plays recordings of chrono_powercontact: unpacks the scene, hands it to viser's page in a frame, and moves scene and
   curves together. Each instance stays reachable as element.powercontact, for tests and for scripts. */
(() => {
  "use strict";
  const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4];
  const BLOCK = 1 << 17;

  /* ---- bytes ---- */
  const fromBase64 = (text) => {
    const raw = atob(text);
    const bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
    return bytes;
  };

  const toBase64 = (bytes) => {
    const parts = [];
    for (let i = 0; i < bytes.length; i += 0x6000) {
      parts.push(btoa(String.fromCharCode.apply(null, bytes.subarray(i, i + 0x6000))));
    }
    return parts.join("");
  };

  const gunzip = async (bytes) => {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  };

  /* Differences of integers, in planes of bytes, back to the floats of all arrays of a group. */
  const restored = (planes, count, group) => {
    const frames = group.members.length;
    const width = count / frames;
    const values = new Float32Array(count);
    const scale = 2 ** -group.bits;
    let i = 0;
    for (let column = 0; column < width; column++) {
      let number = 0;
      let change = 0;
      for (let frame = 0; frame < frames; frame++, i++) {
        const low = planes[i] | (planes[count + i] << 8) | (planes[2 * count + i] << 16);
        const folded = low + planes[3 * count + i] * 2 ** 24;
        const half = Math.floor(folded / 2);
        const difference = folded % 2 ? -half - 1 : half;
        change = group.order === 2 ? change + difference : difference;
        number += change;
        values[frame * width + column] = number * scale;
      }
    }
    return new Uint8Array(values.buffer);
  };

  /* viser's own bytes from the packed ones. */
  const unpacked = (data) => {
    const view = new DataView(data.buffer, data.byteOffset);
    const size = Number(view.getBigUint64(0, true));
    const header = JSON.parse(new TextDecoder().decode(data.subarray(8, 8 + size)));
    const starts = [];
    let end = header.head;
    for (const length of header.lengths) {
      end += (8 - (end % 8)) % 8;
      starts.push(end);
      end += length;
    }
    const inner = new Uint8Array(end);
    let at = 8 + size;
    inner.set(data.subarray(at, at + header.head));
    at += header.head;
    for (const group of header.groups) {
      const total = group.members.reduce((sum, i) => sum + header.lengths[i], 0);
      let bytes = data.subarray(at, at + total);
      at += total;
      if (group.bits >= 0) bytes = restored(bytes, total / 4, group);
      let from = 0;
      for (const i of group.members) {
        inner.set(bytes.subarray(from, from + header.lengths[i]), starts[i]);
        from += header.lengths[i];
      }
    }
    return inner;
  };

  /* A zstd frame of stored blocks, with the length in front: what viser reads. */
  const wrapped = (inner) => {
    const blocks = Math.max(Math.ceil(inner.length / BLOCK), 1);
    const out = new Uint8Array(8 + 9 + 3 * blocks + inner.length);
    const view = new DataView(out.buffer);
    view.setBigUint64(0, BigInt(inner.length), true);
    view.setUint32(8, 0xfd2fb528, true);
    view.setUint8(12, 0xa0);
    view.setUint32(13, inner.length, true);
    let at = 17;
    for (let i = 0; i < blocks; i++) {
      const part = inner.subarray(i * BLOCK, (i + 1) * BLOCK);
      const head = (part.length << 3) | (i === blocks - 1 ? 1 : 0);
      out[at] = head & 255;
      out[at + 1] = (head >> 8) & 255;
      out[at + 2] = (head >> 16) & 255;
      out.set(part, at + 3);
      at += 3 + part.length;
    }
    return out;
  };

  /* ---- viser in its frame ---- */
  const dark = () => window.matchMedia("(prefers-color-scheme: dark)").matches;
  const STYLE = "<style>.mantine-Paper-root:has([role=slider]){position:fixed!important;bottom:-200px}.mantine-Notifications-root{display:none}</style>";

  const frameOf = async (data, title) => {
    const scene = toBase64(wrapped(unpacked(await gunzip(fromBase64(data)))));
    const frame = document.createElement("iframe");
    frame.title = `${title}: 3-D scene; drag to turn, wheel to zoom`;
    const set = `<script>window.__VISER_EMBED_DATA__="${scene}";window.__VISER_EMBED_CONFIG__={darkMode:${dark()}};<\/script>`;
    frame.srcdoc = window.powercontactViewer.replace("</head>", () => `${STYLE}${set}</head>`);
    return frame;
  };

  /* The box in which viser takes a time; a frame lasts one second there. viser has no other way to go to an instant, so
     the box is looked for by what versions of it have had, and if there is none a sentence says so. */
  const BOXES = [".mantine-NumberInput-input", "input[inputmode='decimal']", "input[type='number']", "input[type='text']"];
  const LOST = "The scene cannot be moved: viser's page has no box for the time. Write this page again with viser 1.1.";
  const timeBox = (frame) => {
    for (const box of frame.contentDocument ? BOXES : []) {
      const found = frame.contentDocument.querySelector(box);
      if (found) return found;
    }
    return null;
  };

  const seek = (frame, number) => {
    const box = timeBox(frame);
    if (!box) return false;
    const set = Object.getOwnPropertyDescriptor(frame.contentWindow.HTMLInputElement.prototype, "value").set;
    set.call(box, String(number + 0.5));
    box.dispatchEvent(new frame.contentWindow.Event("input", { bubbles: true }));
    return true;
  };

  /* ---- curves ---- */
  const short = (value) => (value === null || value === undefined ? "" : String(Number(value.toPrecision(4))));

  /* A range that uPlot can mark: its marks are never closer than 1e-32, nor closer than numbers can differ. */
  const ranged = (_, low, high) => {
    if (low === null || high === null) return [0, 1];
    const least = Math.max(1e-9 * Math.max(Math.abs(low), Math.abs(high)), 1e-20);
    if (high - low < least) return [low - least, high + least];
    return uPlot.rangeNum(low, high, 0.1, true);
  };

  const cursorLine = (state) => ({
    hooks: {
      draw: [(plot) => {
        const x = plot.valToPos(state.data.t[state.frame], "x", true);
        plot.ctx.save();
        plot.ctx.strokeStyle = dark() ? "#e6e9ee" : "#1f2933";
        plot.ctx.lineWidth = devicePixelRatio;
        plot.ctx.beginPath();
        plot.ctx.moveTo(x, plot.bbox.top);
        plot.ctx.lineTo(x, plot.bbox.top + plot.bbox.height);
        plot.ctx.stroke();
        plot.ctx.restore();
      }],
    },
  });

  const addChart = (state, chart) => {
    const head = document.createElement("h3");
    head.textContent = chart.title;
    const place = document.createElement("div");
    place.setAttribute("role", "img");
    place.setAttribute("aria-label", `${head.textContent} over time: ${chart.columns.join(", ")}`);
    state.charts.append(head, place);
    const ink = dark() ? "#a7b0bc" : "#5b6470";
    const grid = { stroke: dark() ? "#343c46" : "#e5e7eb", width: 1 };
    const axis = { stroke: ink, grid, ticks: grid };
    const series = chart.columns.map((name, i) => ({
      label: name, stroke: state.data.curves[i % state.data.curves.length], width: 1.5, value: (_, value) => short(value),
    }));
    const size = () => ({ width: Math.max(place.clientWidth, 200), height: 170 });
    const plot = new uPlot({
      ...size(), plugins: [cursorLine(state)], axes: [axis, { ...axis, size: 66, values: (_, ticks) => ticks.map(short) }],
      scales: { x: { time: false }, y: { range: ranged } }, series: [{ label: "t in s", value: (_, value) => short(value) }, ...series], cursor: { drag: { x: false, y: false } },
    }, [state.data.t, ...chart.columns.map((name) => state.data.columns[name])], place);
    plot.over.addEventListener("click", () => {
      if (plot.cursor.idx !== null && plot.cursor.idx !== undefined) go(state, plot.cursor.idx);
    });
    new ResizeObserver(() => plot.setSize(size())).observe(place);
    state.plots.push(plot);
  };

  /* ---- playing ---- */


  const seconds = (value) => `${value.toPrecision(4)} s`;

  const go = (state, number) => {
    const last = state.data.t.length - 1;
    state.frame = Math.min(Math.max(Math.round(number), 0), last);
    state.slider.value = state.frame;
    const [sticking, sliding] = state.data.counts[state.frame];
    const touching = sticking + sliding ? `, ${sticking} contacts stick, ${sliding} slide` : "";
    state.time.textContent = seconds(state.data.t[state.frame]);
    state.slider.setAttribute("aria-valuetext", seconds(state.data.t[state.frame]) + touching);
    state.tally.textContent = `${sticking} stick, ${sliding} slide`;
    if (state.view) state.shown = seek(state.view, state.frame);
    for (const plot of state.plots) {
      plot.redraw(false);
      plot.setLegend({ idx: state.frame });
    }
  };

  const pause = (state, paused) => {
    state.paused = paused;
    state.play.innerHTML = paused ? "&#9654;" : "&#10074;&#10074;";
    state.play.setAttribute("aria-label", paused ? "play" : "pause");
    state.play.setAttribute("aria-pressed", String(!paused));
    if (paused) return;
    const t = state.data.t;
    if (state.frame === t.length - 1) go(state, 0);
    let before = performance.now();
    let now = t[state.frame];
    const tick = (clock) => {
      if (state.paused) return;
      now += (clock - before) * 1e-3 * Number(state.speed.value);
      before = clock;
      let next = state.frame;
      while (next < t.length - 1 && t[next + 1] <= now) next++;
      if (next !== state.frame) go(state, next);
      if (next === t.length - 1) pause(state, true);
      else requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  };

  const offerSpeeds = (state) => {
    const t = state.data.t;
    const length = t[t.length - 1] - t[0] || 1;
    const usual = SPEEDS.find((speed) => length / speed <= 12) || 1;
    for (const speed of SPEEDS) {
      const name = speed < 1 ? `1/${Math.round(1 / speed)}` : `${speed}`;
      state.speed.append(new Option(`${name} x`, speed, false, speed === Math.min(usual, 1)));
    }
  };

  const key = (colour, text, line) => {
    const mark = document.createElement("span");
    mark.className = line ? "pc-key line" : "pc-key";
    mark.style.background = colour;
    return [mark, document.createTextNode(text)];
  };

  const explain = (state, legend) => {
    const { colours, arrow, leftOut } = state.data;
    state.tally = document.createElement("span");
    const marks = [
      ...key(colours.normal, "normal force", true), ...key(colours.friction, "friction", true),
      document.createTextNode(`  (1 m of arrow is ${arrow} N)`),
      ...key(colours.sticking, "sticking"), ...key(colours.sliding, "sliding"), document.createTextNode("; now: "), state.tally,
    ];
    if (!state.data.counts.some(([a, b]) => a + b)) marks.splice(0, marks.length, document.createTextNode("no contact forces were recorded"));
    if (leftOut) marks.push(document.createTextNode(`; ${leftOut} weaker contacts are not drawn`));
    legend.append(...marks);
  };

  const listen = (state) => {
    state.play.addEventListener("click", () => pause(state, !state.paused));
    state.slider.addEventListener("input", () => {
      pause(state, true);
      go(state, Number(state.slider.value));
    });
    state.root.addEventListener("keydown", (event) => {
      if (event.code !== "Space" || ["BUTTON", "SELECT", "INPUT"].includes(event.target.tagName)) return;
      event.preventDefault();
      pause(state, !state.paused);
    });
  };

  /* Wait for the box, so many ms after the frame has loaded; false where it does not come. */
  const ready = (frame, patience) => new Promise((resolve) => {
    let end = Infinity;
    frame.addEventListener("load", () => { end = performance.now() + patience; });
    const look = () => {
      if (timeBox(frame)) resolve(true);
      else if (performance.now() > end) resolve(false);
      else setTimeout(look, 50);
    };
    look();
  });

  const openScene = async (state) => {
    const host = state.root.querySelector(".pc-scene");
    const frame = await frameOf(state.data.scene, state.data.title);
    host.querySelectorAll("iframe").forEach((old) => old.remove());
    host.append(frame);
    const wait = host.querySelector(".pc-wait");
    if (!await ready(frame, Number(state.root.dataset.patience || 60000))) {
      wait.textContent = LOST;
      wait.hidden = false;
      return;
    }
    state.view = frame;
    wait.hidden = true;
    go(state, state.frame);
  };

  const start = async (root) => {
    const find = (name) => root.querySelector(`.pc-${name}`);
    const holder = root.parentElement.querySelector("script.pc-data");
    const state = {
      root, data: JSON.parse(holder.textContent), frame: 0, paused: true, plots: [], view: null, shown: false,
      slider: find("slider"), play: find("play"), time: find("time"), speed: find("speed"), charts: find("charts"),
    };
    root.powercontact = state;
    state.slider.max = state.data.t.length - 1;
    explain(state, find("legend"));
    offerSpeeds(state);
    state.data.charts.forEach((chart) => addChart(state, chart));
    listen(state);
    find("camera").addEventListener("click", () => openScene(state));
    go(state, 0);
    await openScene(state);
  };

  document.querySelectorAll(".pc-view").forEach((root) => start(root));
})();
