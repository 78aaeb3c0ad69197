/** Runs before the first paint, so the page never flashes in the other theme. Kept in step with `theme.ts`. */
const source = `(function(){try{var c=localStorage.getItem('bridle.theme')}catch(e){}var d=c==='dark'||(c!=='light'&&matchMedia('(prefers-color-scheme: dark)').matches);var e=document.documentElement;e.classList.toggle('dark',d);e.dataset.theme=d?'dark':'light'})()`;

// biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours, no data in it; it must run before the first paint
export const ThemeScript = () => <script dangerouslySetInnerHTML={{ __html: source }} />;
