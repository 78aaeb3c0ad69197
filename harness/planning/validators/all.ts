import type { CheckId } from './config';
import type { Check } from './context';
import { coreFunctionalityCovered } from './core-functionality';
import { affectedFilesCovered } from './coverage';
import { editCreateConsistency } from './edit-create';
import { coreRegressionCheck, fullSuiteCommand, specificChecks } from './extra-checks';
import { successChecksPerFile, tddCoverage, tddRequired } from './extra-coverage';
import { inventedPaths } from './invented-paths';
import { missingFilesCovered } from './missing-files';
import { stepToolsAllowed } from './step-tools';
import { testPathConventions } from './test-conventions';

/** Every check by its id. */
export const checks: Readonly<Record<CheckId, Check>> = {
  V1: inventedPaths,
  V2: missingFilesCovered,
  V3: editCreateConsistency,
  V4: stepToolsAllowed,
  V5: testPathConventions,
  V6: affectedFilesCovered,
  V7: coreFunctionalityCovered,
  'success-checks': successChecksPerFile,
  'tdd-coverage': tddCoverage,
  'tdd-required': tddRequired,
  'full-suite-command': fullSuiteCommand,
  'specific-checks': specificChecks,
  'core-regression-check': coreRegressionCheck,
};
