/** UN/LOCODE: the five-character code of a port (UNECE Recommendation 16), country first. */
export type Locode = string;

/** Two letters of the country, three letters or digits of the place. */
export const LOCODE = /^[A-Z]{2}[A-Z0-9]{3}$/;

/** Whether `text` has the form of a UN/LOCODE in upper case; does not check that the port exists. */
export const isLocode = (text: string): text is Locode => LOCODE.test(text);

/** Harmonized System commodity codes: two digits a chapter, then heading, subheading and national digits. */
export type HsCode = string;

/** 2, 4, 6, 8 or 10 digits. */
export const HS_CODE = /^(?:\d{2}){1,5}$/;
const LAST_CHAPTER = 99;
/** 77 is reserved by the World Customs Organization; 98 and 99 are national special provisions and in use. */
const RESERVED_CHAPTERS = new Set([0, 77]);

/** Whether `text` is 2, 4, 6, 8 or 10 digits. */
export const isHsCode = (text: string): text is HsCode => HS_CODE.test(text);

/** `HS2`, `HS4` or `HS6`, as publishers of trade values name the level of a code. */
export const hsLevel = (code: HsCode): string => `HS${code.length}`;

/** Whether the code's chapter (first two digits) exists: 01 to 99 without 77. */
export function chapterExists(code: HsCode): boolean {
  const chapter = Number(code.slice(0, 2));
  return chapter <= LAST_CHAPTER && !RESERVED_CHAPTERS.has(chapter);
}

/** Every existing chapter, `01` to `99` without `77`. */
export const HS_CHAPTERS: readonly HsCode[] = Array.from({ length: LAST_CHAPTER }, (_, i) =>
  String(i + 1).padStart(2, '0'),
).filter(chapterExists);
