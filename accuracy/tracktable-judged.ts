/** What a reader of the rows makes of each foreign-flag vessel with a stay: the stays of vessels in `tracktable-data`, judged by hand. */

export interface JudgedTrack {
  readonly mmsi: number;
  /** Of its stays that begin then or later, the newest judgement first. */
  readonly from: string;
  /** It is a merchant vessel. */
  readonly counts: boolean;
  readonly judgement: string;
  /** Empty where nothing is wrong. */
  readonly wrong: string;
}

const of = (mmsi: number, from: string, counts: boolean, judgement: string, wrong = ''): JudgedTrack => ({
  mmsi,
  from,
  counts,
  judgement,
  wrong,
});

export const JUDGED_TRACKS: readonly JudgedTrack[] = [
  of(311931000, '2020-06-30T00:00Z', true, 'river berth at Gramercy, slow at 04:49, within 14 m from 04:53'),
  of(538006519, '2020-06-30T00:00Z', true, 'river berth at Violet, slow at 11:11, under way by 19:29'),
  of(
    371799000,
    '2020-06-04T00:00Z',
    true,
    'Norfolk International Terminals, alongside at 09:38, under way at 01:45',
  ),
  of(
    311000879,
    '2020-06-04T00:00Z',
    false,
    'Portsmouth Marine Terminal; then sails survey lines at 6 to 7 knots',
  ),
  of(319008700, '2020-06-30T00:00Z', false, 'yacht at a marina of Riviera Beach'),
  of(319649000, '2020-06-30T00:00Z', false, 'yacht at the docks of Beaufort, North Carolina'),
  of(235088662, '2020-06-30T00:00Z', false, 'small craft at its dock in Sausalito', 'found as a wait'),
  of(232021209, '2020-06-30T20:00Z', false, 'small craft at its dock in Carrabelle'),
  of(
    232021209,
    '2020-06-30T00:00Z',
    false,
    'the same dock; the vessel was out from 14:10 to 15:34',
    'two stays, less than two hours apart, found as one',
  ),
  of(378112988, '2020-06-30T00:00Z', false, 'yacht at Charlotte Amalie', 'given to Road Town, 19 nm off'),
  of(339544000, '2020-06-30T00:00Z', false, 'yacht in Magens Bay', 'found as a berth, given to Road Town'),
  of(257020120, '2020-06-30T00:00Z', false, 'yacht at anchor west of Charlotte Amalie'),
  of(538071049, '2020-06-30T00:00Z', false, 'yacht in Fort Lauderdale'),
  of(
    235093499,
    '2020-06-04T00:00Z',
    false,
    'yacht on the Intracoastal Waterway, two of its three stays far from a port',
  ),
];
