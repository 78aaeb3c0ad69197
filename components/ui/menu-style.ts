/** One look for dropdown and context menus. */
export const menuContentClass =
  'z-50 min-w-44 animate-enter overflow-hidden rounded-lg border border-line bg-surface p-1 text-sm shadow-pop outline-none';
export const menuItemClass =
  'relative flex cursor-default select-none items-center gap-2 rounded-md px-2 py-1 outline-none data-disabled:pointer-events-none data-disabled:opacity-40 data-highlighted:bg-hover';
export const menuDangerClass = 'text-fail data-highlighted:bg-fail-soft';
export const menuLabelClass = 'px-2 pt-1.5 pb-1 text-faint text-xs';
export const menuSeparatorClass = '-mx-1 my-1 h-px bg-line';
