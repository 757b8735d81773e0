/* The replay works with plain links. This adds keys, stepping without a reload, and a play button. */
"use strict";
(function () {
  const PAUSE_BETWEEN_STEPS = 1600;
  let section = document.getElementById("replay");
  if (!section) return;
  let timer = null;
  let busy = false;

  function isTyping(element) {
    return element && (/^(INPUT|SELECT|TEXTAREA)$/.test(element.tagName) || element.isContentEditable);
  }

  function link(name) {
    return section.querySelector(`a[data-step="${name}"]`);
  }

  async function show(url, remember) {
    if (busy) return;
    busy = true;
    const focused = document.activeElement;
    const step = focused && section.contains(focused) ? focused.dataset.step : undefined;
    try {
      const response = await fetch(url, { headers: { Accept: "text/html" } });
      if (!response.ok) throw new Error(String(response.status));
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const fresh = page.getElementById("replay");
      if (!fresh) throw new Error("no replay");
      const open = [...section.querySelectorAll("details")].map((details) => details.open);
      fresh.querySelectorAll("details").forEach((details, index) => { details.open = open[index] ?? details.open; });
      if (timer) fresh.querySelector("#told").setAttribute("aria-live", "off");
      section.replaceWith(fresh);
      section = fresh;
      addPlayButton();
      if (step) (section.querySelector(`[data-step="${step}"]`) || section).focus({ preventScroll: true });
      if (remember) history.pushState(null, "", url);
    } catch (problem) {
      window.location.assign(url);
    } finally {
      busy = false;
    }
  }

  function go(name) {
    const target = link(name);
    if (target) show(target.href, true);
    return Boolean(target);
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    const button = section.querySelector('[data-step="play"]');
    if (button) {
      button.textContent = section.dataset.labelPlay;
      button.setAttribute("aria-pressed", "false");
    }
  }

  function toggle() {
    if (timer) {
      stop();
      return;
    }
    timer = setInterval(() => { if (!busy && !go("next")) stop(); }, PAUSE_BETWEEN_STEPS);
    go("next");
    addPlayButton();
  }

  function addPlayButton() {
    const stepper = section.querySelector(".stepper");
    let button = stepper.querySelector('[data-step="play"]');
    if (!button) {
      button = document.createElement("button");
      button.type = "button";
      button.dataset.step = "play";
      button.addEventListener("click", toggle);
      stepper.insertBefore(button, stepper.querySelector(".jump"));
    }
    button.textContent = timer ? section.dataset.labelPause : section.dataset.labelPlay;
    button.setAttribute("aria-pressed", timer ? "true" : "false");
  }

  document.addEventListener("click", (event) => {
    const target = event.target.closest("#replay a[href*='step=']");
    if (!target || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    if (target.dataset.step !== "next" && timer) stop();
    show(target.href, true);
  });

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || isTyping(event.target)) return;
    if (event.target.closest && event.target.closest(".scroll")) return;
    const name = { ArrowLeft: "previous", ArrowRight: "next" }[event.key];
    if (!name) return;
    event.preventDefault();
    if (timer && name !== "next") stop();
    go(name);
  });

  window.addEventListener("popstate", () => show(window.location.href, false));
  addPlayButton();
})();
