import { HttpError } from './http.js';

/** Finds the row for a request; a segment that begins with a colon takes whatever stands there. */
export function createRouter(routes) {
  const table = routes.map((route) => ({ route, segments: route.path.split('/') }));
  return (method, url) => {
    const path = new URL(url, 'http://notes').pathname.split('/');
    for (const { route, segments } of table) {
      if (route.method !== method || segments.length !== path.length) continue;
      const params = {};
      const fits = segments.every((segment, index) => {
        if (!segment.startsWith(':')) return segment === path[index];
        params[segment.slice(1)] = path[index];
        return path[index] !== '';
      });
      if (fits) return { route, params };
    }
    throw new HttpError(404, 'not_found', 'There is nothing at this address.');
  };
}
