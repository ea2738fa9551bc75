#!/usr/bin/env node
import { basename } from 'node:path';
import { run } from './run.ts';

// By its other name it is a plugin of kubectl: https://kubernetes.io/docs/tasks/extend-kubectl/kubectl-plugins/
const isPlugin = basename(process.argv[1] ?? '').startsWith('kubectl-claim');
await run(isPlugin ? 'kubectl claim' : 'frontdesk');
