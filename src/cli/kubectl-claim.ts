#!/usr/bin/env node
import { run } from './run.ts';

// A plugin of kubectl: https://kubernetes.io/docs/tasks/extend-kubectl/kubectl-plugins/
await run('kubectl claim');
