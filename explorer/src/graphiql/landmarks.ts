/**
 * What the page of GraphiQL lacks for assistive technologies: a heading, a main landmark, and tabs that contain no
 * buttons, because a tab may not contain other controls.
 */

export function addLandmarks(): void {
  const heading = document.createElement('h1');
  heading.textContent = document.title;
  heading.className = 'zarrql-heading';
  new MutationObserver(improve).observe(document.body, {
    childList: true,
    subtree: true,
    attributeFilter: ['aria-selected', 'role'],
  });
  improve();

  /** Again whenever GraphiQL has rendered a part. Changes nothing that it has changed before. */
  function improve(): void {
    const main = document.querySelector('.graphiql-container');
    if (main !== null && main.getAttribute('role') !== 'main') {
      main.setAttribute('role', 'main');
      main.prepend(heading);
    }
    for (const list of document.querySelectorAll('.graphiql-tabs[role=tablist]'))
      list.removeAttribute('role');
    for (const tab of document.querySelectorAll('.graphiql-tab[aria-selected]')) {
      tab.querySelector('.graphiql-tab-button')?.setAttribute('aria-current', tab.getAttribute('aria-selected') ?? 'false'); // prettier-ignore
      tab.removeAttribute('aria-selected');
      tab.removeAttribute('role');
    }
  }
}
