const root = document.querySelector<HTMLElement>('[data-user-info]');
if (root) void import('./mount').then(({ mount }) => mount(root));
