import { desks } from '../desks.ts';
import { deskContract } from './claim-desk.contract.ts';

deskContract('local', desks.local);
