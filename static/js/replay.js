/* The replay works with plain links. This adds keys, stepping without a reload, a slider and a play button. */
"use strict";
(function () {
  const KEYS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last", r: "round", t: "unit", a: "attack" };
  const section = document.getElementById("replay");
  if (!section) return;
  const [player, play, scrub, speed] = ["player", "play", "scrub", "speed"].map((id) => document.getElementById(id));
  const parts = (root) => [...root.querySelectorAll("[data-part]")], offline = document.getElementById("replay-offline");
  let shown = scrub.getAttribute("value");
  let timer = null;
  let busy = false;
  let waiting = null;

  /* Returns a page of the site; null without a network, when an answer breaks off or does not come, and when the site or
     its database cannot be reached (502 to 504). */
  async function read(url) {
    let response, text;
    try {
      response = await fetch(url, { headers: { Accept: "text/html" }, signal: AbortSignal.timeout(60000) });
      text = await response.text();
    } catch (problem) { return null; }
    if (response.status > 501 && response.status < 505) return null;
    if (!response.ok) throw new Error(String(response.status));
    return text;
  }

  /* Replaces all but the player, so that what is being dragged or pressed stays. `how` is a method of history. Of what
     is asked for while a step is on its way, the last is shown. */
  async function show(url, how) {
    if (busy) {
      waiting = [url, how];
      return;
    }
    busy = true;
    try {
      const text = await read(url);
      offline.hidden = text !== null;
      if (text === null) {
        stop();
        scrub.value = shown;
        // Back has changed the address already.
        if (!how) history.replaceState(null, "", `?step=${shown}#replay`);
        return;
      }
      const page = new DOMParser().parseFromString(text, "text/html");
      const fresh = page.getElementById("replay");
      if (!fresh) throw new Error("no replay");
      if (!how && parts(fresh).every((part, number) => part.textContent === parts(section)[number].textContent)) return;
      const focused = section.contains(document.activeElement) ? document.activeElement : null;
      const open = parts(section).map((part) => [...part.querySelectorAll("details")].map((each) => each.open));
      parts(fresh).forEach((part, number) => {
        part.querySelectorAll("details").forEach((each, index) => { each.open = open[number][index] ?? each.open; });
        if (timer || how === "replaceState") part.querySelector("#events")?.setAttribute("aria-live", "off");
        parts(section)[number].replaceWith(part);
      });
      shown = page.getElementById("scrub").getAttribute("value");
      scrub.max = page.getElementById("scrub").max;
      if (how !== "replaceState" || timer) scrub.value = shown;
      dress();
      if (focused && !section.contains(focused)) {
        const { step } = focused.dataset;
        const same = step ? `[data-step="${step}"]` : focused.id ? `#${focused.id}` : `a[href="${focused.getAttribute("href")}"]`;
        section.querySelector(same)?.focus({ preventScroll: true });
      }
      if (how) history[how](null, "", url);
    } catch (problem) {
      window.location.assign(url);
    } finally {
      busy = false;
      const last = waiting;
      waiting = null;
      if (last && last[0] !== url) show(...last);
    }
  }

  function dress() {
    document.getElementById("copy").hidden = !navigator.clipboard;
  }

  function link(name) {
    return section.querySelector(`a[data-step="${name}"]`);
  }

  function seek() {
    stop();
    show(`?step=${scrub.value}#replay`, "replaceState");
  }

  function label() {
    play.textContent = timer ? section.dataset.labelPause : section.dataset.labelPlay;
    play.setAttribute("aria-pressed", timer ? "true" : "false");
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    label();
  }

  function run() {
    clearInterval(timer);
    timer = setInterval(advance, Number(speed.value));
    label();
  }

  function advance() {
    if (busy) return;
    if (link("next")) show(link("next").href, "replaceState");
    else stop();
  }

  function toggle() {
    if (timer) return stop();
    run();
    advance();
  }

  function follow(target) {
    if (timer) stop();
    // What was pressed below shows its step on the board.
    if (!target.closest(".controls")) section.scrollIntoView();
    show(target.getAttribute("href"), "pushState");
  }

  document.addEventListener("click", (event) => {
    const copy = event.target.closest("#copy button");
    if (copy) navigator.clipboard.writeText(link("moment").href).then(() => { copy.textContent = copy.dataset.done; });
    const target = event.target.closest("#replay a[href*='step=']");
    if (!target || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    follow(target);
  });

  document.addEventListener("keydown", (event) => {
    const at = event.target;
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (at.closest("input, select, textarea, .scroll") || at.isContentEditable) return;
    if (!section.contains(at) && !at.matches("body, main")) return;
    let target = KEYS[event.key] && link(KEYS[event.key]);
    if (event.key.toLowerCase() === "k") target = [...section.querySelectorAll("[data-kill]")].find((each) => +each.dataset.kill > +shown);
    if (event.key === " " && !at.closest("button, summary")) {
      event.preventDefault();
      toggle();
    } else if (target) {
      event.preventDefault();
      follow(target);
    } else if (busy && (event.key === "Home" || event.key === "End")) {
      // Shown is that end itself, which has no link to it; but another step is on its way.
      event.preventDefault();
      if (timer) stop();
      show(`?step=${event.key === "Home" ? 1 : scrub.max}#replay`, "pushState");
    }
  });

  // Who looks at the newest step of a match being played sees the next one when it is there, and who waits for their
  // turning points how far they are: 24 times, ever more rarely. After that there is a link.
  let looks = 0, ticks = 0;
  setInterval(() => {
    if (timer || busy || document.hidden) return;
    if (section.querySelector("[data-waits]")) {
      if (looks < 24 && ++ticks > looks / 4) {
        ticks = 0;
        looks += 1;
        show(`?step=${shown}`);
      }
    } else if ("live" in section.dataset && !link("next")) show("?");
  }, 5000);
  play.addEventListener("click", toggle);
  speed.addEventListener("change", () => { if (timer) run(); });
  scrub.addEventListener("input", seek);
  window.addEventListener("popstate", () => show(window.location.href));
  // Who wants little motion gets the slowest pace to begin with.
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) speed.value = "3200";
  player.hidden = false;
  dress();
})();
