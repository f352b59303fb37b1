// Light and dark, search, and buttons that copy. A page can be read without.
'use strict';

const root = document.currentScript.dataset.root;
const THEMES = { light: 'dark', dark: 'light' };
const RESULTS_MAX = 40;

function stored() {
  try {
    return localStorage.getItem('theme');
  } catch {
    return null;
  }
}

function shown() {
  return document.documentElement.dataset.theme
      || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
}

if (THEMES[stored()]) {
  document.documentElement.dataset.theme = stored();
}

function themes() {
  const button = document.getElementById('site-theme');
  const label = () => { button.textContent = THEMES[shown()] === 'dark' ? 'Dark' : 'Light'; };
  button.addEventListener('click', () => {
    const next = THEMES[shown()];
    document.documentElement.dataset.theme = next;
    try {
      localStorage.setItem('theme', next);
    } catch {
      // The choice holds for this page.
    }
    label();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', label);
  label();
  button.hidden = false;
}

function copies() {
  if (!navigator.clipboard) {
    return;
  }
  for (const pre of document.querySelectorAll('pre')) {
    const text = pre.textContent;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copied';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = 'Copied';
      } catch {
        button.textContent = 'Not copied';
      }
      setTimeout(() => { button.textContent = 'Copy'; }, 2000);
    });
    pre.prepend(button);
  }
}

let loaded = null;

// The index is loaded when somebody looks for something, once.
function index() {
  loaded ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = root + 'search-index.js';
    script.onload = () => resolve(window.margayParts.map(([page, id, heading, text]) => {
      const [path, title, section] = window.margayPages[page];
      return {
        url: root + path + (id ? '#' + id : ''), title, section, heading, text,
        names: title.toLowerCase(), head: heading.toLowerCase(), body: text.toLowerCase(),
      };
    }));
    script.onerror = () => { loaded = null; reject(new Error('the index cannot be loaded')); };
    document.head.append(script);
  });
  return loaded;
}

// How often a word stands in a text, up to five times; at the beginning of a word it counts double.
function times(text, word) {
  let count = 0;
  for (let at = text.indexOf(word); at >= 0 && count < 10; at = text.indexOf(word, at + word.length)) {
    count += at === 0 || /[^a-z0-9]/.test(text[at - 1]) ? 2 : 1;
  }
  return Math.min(count, 10);
}

// Parts that have all words, the best first: words in headings weigh more than words in text.
function search(parts, query) {
  const words = query.toLowerCase().split(/\s+/).filter(word => word);
  const found = [];
  for (const part of parts) {
    let score = 0;
    for (const word of words) {
      const one = 8 * times(part.head, word) + 4 * times(part.names, word) + times(part.body, word);
      if (one === 0) {
        score = 0;
        break;
      }
      score += one;
    }
    if (score > 0) {
      found.push({ part, score: score + (part.section === 'Guide' ? 6 : 0) });
    }
  }
  found.sort((a, b) => b.score - a.score);
  return { words, found };
}

// The text around the first word, with the words marked.
function excerpt(text, words) {
  const places = words.map(word => text.toLowerCase().indexOf(word)).filter(place => place >= 0);
  const at = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - 50);
  const piece = (at > 0 ? '… ' : '') + text.slice(at, at + 170) + (text.length > at + 170 ? ' …' : '');
  const span = document.createElement('span');
  const quoted = words.map(word => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  for (const [i, run] of piece.split(new RegExp('(' + quoted.join('|') + ')', 'i')).entries()) {
    if (i % 2) {
      const mark = document.createElement('mark');
      mark.textContent = run;
      span.append(mark);
    } else {
      span.append(run);
    }
  }
  return span;
}

function item({ part }, words) {
  const link = document.createElement('a');
  link.href = part.url;
  const strong = document.createElement('strong');
  strong.textContent = part.heading;
  const small = document.createElement('small');
  small.textContent = (part.section ? part.section + ' › ' : '') + part.title;
  link.append(strong, small, excerpt(part.text, words));
  const li = document.createElement('li');
  li.append(link);
  return li;
}

function searches() {
  const query = document.getElementById('site-query');
  const box = document.getElementById('site-found');
  const results = document.getElementById('site-results');
  const count = document.getElementById('site-count');
  const close = () => { box.hidden = true; };

  async function show() {
    const text = query.value.trim();
    if (text.length < 2) {
      close();
      return;
    }
    try {
      const { words, found } = search(await index(), text);
      if (query.value.trim() !== text) {
        return;
      }
      results.replaceChildren(...found.slice(0, RESULTS_MAX).map(one => item(one, words)));
      count.textContent = found.length === 0 ? 'Nothing has all of these words.'
          : found.length === 1 ? '1 place' : found.length + ' places';
    } catch (error) {
      results.replaceChildren();
      count.textContent = 'Search does not work: ' + error.message;
    }
    box.hidden = false;
  }

  // Up and down go through the results.
  function move(event) {
    const links = [query, ...results.querySelectorAll('a')];
    const at = links.indexOf(document.activeElement);
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (event.key === 'Escape') {
      close();
      query.focus();
    } else if (event.key === 'Enter' && at === 0 && links.length > 1 && !box.hidden) {
      links[1].click();
    } else if (step !== 0 && at >= 0 && !box.hidden) {
      event.preventDefault();
      links[Math.max(0, Math.min(links.length - 1, at + step))].focus();
    }
  }

  query.addEventListener('focus', () => index().catch(() => {}));
  query.addEventListener('input', show);
  document.getElementById('site-search').addEventListener('keydown', move);
  results.addEventListener('click', close);
  document.addEventListener('click', event => {
    if (!event.target.closest('#site-search')) {
      close();
    }
  });
  document.addEventListener('keydown', event => {
    if (event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey
        && !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) {
      event.preventDefault();
      query.focus();
    }
  });
  document.getElementById('site-search').hidden = false;
}

document.addEventListener('DOMContentLoaded', () => {
  themes();
  copies();
  searches();
});
