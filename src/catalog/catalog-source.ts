import type { CatalogSnapshot } from './catalog.ts';

/** Where templates come from, and where they are followed. Each names what it holds to `onChange`, at once and whenever it changes. */
export interface CatalogSource {
  /** Resolves when the first attempt to read all templates is over; it may have failed, and goes on. */
  start(): Promise<void>;
  close(): Promise<void>;
  /** Whether all templates were ever read. */
  readonly synced: boolean;
  /** Why templates cannot be read now, if they cannot; those read last stay served. */
  readonly failure: string | undefined;
  /** When what is served was last known to be all there is, in milliseconds since the epoch. */
  readonly syncedAt: number | undefined;
  /** How often they could be read again after they could not. */
  readonly reconnects: number;
}

export type OnChange = (snapshot: CatalogSnapshot) => void;

/** Makes a source that tells `onChange`. */
export type OpenSource = (onChange: OnChange) => CatalogSource;
