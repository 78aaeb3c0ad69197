import { compared, fact } from '../../layers/shared/explain';
import { planPath } from '../artefacts/paths';
import { allSteps, type Check, exemptPaths, knownPaths, sorted } from './context';

export const noSummary = 'there is no file summary to compare with';

/** V1: a step may only name files that an earlier phase has seen or asked for. */
export const inventedPaths: Check = {
  title: 'Invented paths',
  run(context) {
    const known = knownPaths(context);
    if (known === null) return { warnings: [], because: [], skipped: noSummary };
    const exempt = exemptPaths(context);
    const named = allSteps(context)
      .map(({ file_path }) => planPath(file_path))
      .filter((path) => path !== '');
    const invented = sorted(named.filter((path) => !known.has(path) && !exempt.has(path)));
    return {
      warnings: invented.map((path) => `invented path: ${path}`),
      because: [
        compared('invented paths', invented.length, '==', 0),
        fact('paths named by steps', new Set(named).size),
        fact('known paths', known.size),
        fact('exempt as new tests', exempt.size),
      ],
    };
  },
};
