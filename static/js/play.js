/* The page of a match in play works with plain links and forms. This follows them without a reload, moves the focus
   over the board by arrow keys, commits by Enter and goes back by Backspace, shows what the help says in a small box,
   and asks once a second whether the others have decided, more seldom behind others. */
"use strict";
(function () {
  const ASK_EVERY = 1000;
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const MARKS = ".pick, .aimed, .b-active";
  const KEYS = { Enter: "#commit", Backspace: ".way-back a", "?": "[href='#keys']" };
  let root = document.getElementById("play");
  if (!root) return;
  let busy = false, looks = 0, filling = null;
  const nearing = new IntersectionObserver((seen) => { if (seen.some((each) => each.isIntersecting)) fill(); });

  function prepare() {
    centre();
    root.querySelectorAll(".picks, .wheel").forEach((group) => {
      const links = [...group.querySelectorAll("a")];
      const first = links.find((link) => link.hasAttribute("aria-current")) || links[0];
      links.forEach((link) => link.setAttribute("tabindex", link === first ? "0" : "-1"));
    });
    // A strip that is longer than its place begins at what is chosen in it.
    root.querySelectorAll(".bar-choices [aria-current]").forEach((each) => {
      const strip = each.closest(".bar-choices"), at = each.getBoundingClientRect(), seen = strip.getBoundingClientRect();
      if (at.right > seen.right - 24) strip.scrollLeft += at.x - seen.x + (at.width - seen.width) / 2;
    });
    nearing.disconnect();
    root.querySelectorAll(".stage-dials").forEach((each) => nearing.observe(each));
    if (root.querySelector("details[open][data-later]")) fill();
    document.dispatchEvent(new Event("shown"));
  }

  // A zoomed ground that is larger than its place begins at what is chosen, or at a mark: that next to its middle.
  function centre() {
    const place = root.querySelector(".stage-board"), board = root.querySelector(".stage-board .board");
    if (!board) return;
    const seen = place.getBoundingClientRect(), { x, y, width, height } = board.getBoundingClientRect();
    const aside = (each) => Math.hypot(each.x - x + (each.width - width) / 2, each.y - y + (each.height - height) / 2);
    const chosen = board.querySelector(".pick-chosen") || board.querySelector(".wheel");
    const marks = chosen ? [chosen] : board.querySelectorAll(MARKS);
    const [at] = [...marks].map((each) => each.getBoundingClientRect()).sort((a, b) => aside(a) - aside(b));
    if (!at) return;
    place.scrollBy(at.x - seen.x + (at.width - seen.width) / 2, at.y - seen.y + (at.height - seen.height) / 2);
  }

  function focusNext() {
    const next = root.querySelector("#commit") || root.querySelector(".presses, .question-list a, .question-facings a")
      || root.querySelector('.picks a[tabindex="0"]') || root;
    next.focus({ preventScroll: true });
  }

  function say(text, kind) {
    const notice = document.createElement("p");
    notice.className = "message" + (kind ? " " + kind : "");
    notice.setAttribute("role", "status");
    notice.textContent = text;
    root.prepend(notice);
    return notice;
  }

  // A page that stays when the network is away, and says so, once. An answer that breaks off is none, nor is one that
  // says that the site or its database cannot be reached (502 to 504).
  let away = null;
  async function reach(url, options) {
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(60000), ...options }), text = await answer.text();
      if (answer.status > 501 && answer.status < 505) throw new Error(String(answer.status));
      if (away) away.remove();
      away = null;
      return { status: answer.status, url: answer.url, text, there: answer.headers.get("X-There") || "" };
    } catch (problem) {
      if (root.dataset.offline && !(away && away.isConnected)) away = say(root.dataset.offline, "warning");
      return null;
    }
  }

  // What a part leaves out, a click away: the page before it has it if nothing was played since, the whole page always.
  function moveInto(fresh, known) {
    fresh.querySelectorAll("[data-later]").forEach((each) => {
      const found = known.querySelector(`[id="${each.id}"]:not([data-later])`);
      if (!found) return;
      if (each.open) found.open = true;
      each.replaceWith(found);
    });
  }

  function fill() {
    filling ||= fetchWhole().finally(() => { filling = null; });
  }

  async function fetchWhole() {
    const asked = root, answer = asked.querySelector("[data-later]") && await reach(location.href);
    const whole = answer && new DOMParser().parseFromString(answer.text, "text/html").getElementById("play");
    if (!whole || asked !== root || whole.dataset.version !== root.dataset.version) return;
    moveInto(root, whole);
    document.dispatchEvent(new Event("filled"));
  }

  async function load(url, options, remember) {
    if (busy) return;
    busy = true;
    root.setAttribute("aria-busy", "true");
    try {
      // A page that has the arena gets answers without it.
      const arena = root.querySelector(".b-arena");
      const response = await reach(url, { ...options, headers: arena ? { "X-Part": "1" } : {} });
      if (!response) return;
      const page = new DOMParser().parseFromString(response.text, "text/html");
      const fresh = page.getElementById("play");
      if (!fresh) throw new Error(String(response.status));
      const open = new Set([...root.querySelectorAll("details[open] > summary")].map((each) => each.textContent));
      fresh.querySelectorAll("details > summary").forEach((each) => {
        if (open.has(each.textContent)) each.parentElement.open = true;
      });
      document.querySelectorAll("main > .messages").forEach((each) => each.remove());
      const place = fresh.querySelector(".b-arena:empty");
      if (place) place.replaceWith(arena);
      if (fresh.dataset.version === root.dataset.version) moveInto(fresh, root);
      root.replaceWith(fresh);
      root = fresh;
      document.title = (root.hasAttribute("data-mine") ? "● " + root.dataset.yours + " · " : "") + page.title;
      if (remember) history.pushState(null, "", response.url);
      prepare();
      return true;
    } catch (problem) {
      if (!options) window.location.assign(url);
      else window.location.reload();
    } finally {
      busy = false;
      root.removeAttribute("aria-busy");
    }
  }

  document.addEventListener("click", async (event) => {
    const link = event.target.closest("#play a[data-step]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    // A link in a picture has its address in an attribute only.
    const address = new URL(link.getAttribute("href"), location.href);
    if (link.closest(".presses")?.querySelector("[name=always]:checked")) address.searchParams.set("always", "yes");
    if (!await load(address.href, undefined, true)) return;
    // Who only looks at more or less of the board stays there: the next Enter looks again and plays nothing.
    const same = link.id && document.getElementById(link.id);
    if (same) same.focus();
    else focusNext();
  });

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!root.contains(form)) return;
    event.preventDefault();
    const body = new FormData(form, event.submitter);
    if (form.method === "get") {
      await load(`${form.action}?${new URLSearchParams(body)}`, undefined, true);
      return document.getElementById("ruler").focus();
    }
    const wait = event.submitter?.dataset.wait, thinking = wait && say(wait);
    if (thinking) event.submitter.after(thinking);
    if (await load(form.action, { method: "POST", body }, true)) {
      const advice = body.has("advice") && root.querySelector("#advice");
      if (advice) return advice.focus();
      focusNext();
      scrollTo(0, 0);
    } else if (thinking) thinking.remove();
  });

  document.addEventListener("keydown", (event) => {
    const way = ARROWS[event.key];
    const here = event.target.closest && event.target.closest("#play svg a[data-step]");
    if (!way || !here || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const middle = (link) => {
      const box = link.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    let best = null, least = Infinity, [x, y] = middle(here);
    here.parentElement.querySelectorAll("a[data-step]").forEach((link) => {
      const at = middle(link), across = at[0] - x, down = at[1] - y;
      const along = across * way[0] + down * way[1], aside = Math.abs(across * way[1] - down * way[0]);
      if (along > 1 && along + 2 * aside < least) { least = along + 2 * aside; best = link; }
    });
    if (!best) return;
    here.setAttribute("tabindex", "-1");
    best.setAttribute("tabindex", "0");
    best.focus();
  });

  const box = document.getElementById("box"), boxed = box.querySelector("div"), page = box.querySelector("p a");

  function show(elements, address) {
    boxed.replaceChildren(...elements.map((each) => document.importNode(each, true)));
    boxed.querySelectorAll("[id]").forEach((each) => each.removeAttribute("id"));
    boxed.querySelectorAll("a[href]").forEach((link) => {
      link.href = new URL(link.getAttribute("href"), address).href;
    });
    page.parentElement.hidden = !address;
    if (address) page.href = address;
    if (!box.open) box.showModal();
    // The focus goes to the button at the end, and would show the end first.
    box.scrollTop = 0;
  }

  async function explain(address) {
    const answer = await reach(address), parsed = answer && new DOMParser().parseFromString(answer.text, "text/html");
    const found = parsed && parsed.getElementById(decodeURIComponent(new URL(address).hash.slice(1)));
    if (found) show(found.localName === "dt" ? [found, found.nextElementSibling] : [...found.childNodes], address);
    else if (answer) window.location.assign(address);
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("#play a[href], #box div a[href]");
    if (!link || link.dataset.step !== undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const keys = link.getAttribute("href") === "#keys", url = new URL(link.getAttribute("href"), location.href);
    if (!keys && !(url.hash && url.pathname.startsWith(box.dataset.help))) return;
    event.preventDefault();
    if (keys) show([...document.querySelectorAll("#keys dl")], "");
    else explain(url.href);
  });

  document.addEventListener("keydown", (event) => {
    const on = event.target.closest && event.target.closest("a, button, input, select, textarea, summary");
    if (box.open || event.altKey || event.ctrlKey || event.metaKey) return;
    // A key that is held down plays one decision, not each that comes to have the focus.
    if (event.repeat && KEYS[event.key]) {
      if (!on || !on.matches("input, select, textarea")) event.preventDefault();
      return;
    }
    if (on && (event.key === "Enter" || on.matches("input, select, textarea"))) return;
    const found = KEYS[event.key] && root.querySelector(KEYS[event.key]);
    if (!found) return;
    event.preventDefault();
    found.click();
  });

  async function ask() {
    if (busy || (document.hidden && ++looks % 5) || root.matches("[data-over]")) return;
    // At the reader's own turn against the AI nobody else can do anything, so only a lost network is looked after.
    if (root.matches("[data-alone]") && !(away && away.isConnected)) return;
    const version = root.dataset.version;
    const answer = await reach(`${root.dataset.changes}?version=${version}`, { headers: { Accept: "application/json" } });
    if (answer && answer.status === 204) {
      const there = answer.there.split(" ");
      for (const rival of root.querySelectorAll("[data-rival]")) {
        const isThere = rival.classList.toggle("here", there.includes(rival.dataset.rival));
        rival.textContent = isThere ? rival.dataset.there : rival.dataset.away;
      }
    }
    if (!answer || answer.status !== 200 || busy || version !== root.dataset.version) return;
    const wasMine = root.hasAttribute("data-mine"), late = root.dataset.late;
    if (!await load(location.pathname, undefined, false)) return;
    history.replaceState(null, "", location.pathname);
    if (wasMine) say(late);
    if (!root.hasAttribute("data-mine")) return;
    focusNext();
    if (document.hidden && !wasMine) callReader();
  }

  document.addEventListener("wanted", fill);
  document.addEventListener("toggle", ({ target }) => { if (target.matches("[data-later][open]")) fill(); }, true);
  window.addEventListener("popstate", () => load(location.href, undefined, false));
  document.addEventListener("visibilitychange", ask);
  setInterval(ask, ASK_EVERY);
  prepare();
})();
