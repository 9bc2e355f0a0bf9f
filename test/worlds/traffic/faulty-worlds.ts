/** Worlds as worse networks publish them: any generator's traffic, with coarse positions or wrong clocks. */
import type { GeneratedFix, GenerateWorld } from './world-types.ts';

const altered =
  (generate: GenerateWorld, alter: (fix: GeneratedFix) => GeneratedFix): GenerateWorld =>
  (options) => {
    const world = generate(options);
    return {
      ...world,
      fixes: {
        *[Symbol.iterator]() {
          for (const fix of world.fixes) yield alter(fix);
        },
      },
    };
  };

/** Rounds coordinates in degrees to `decimals`: three are some 100 m. */
export const withDecimals = (generate: GenerateWorld, decimals: number): GenerateWorld =>
  altered(generate, (fix) => ({
    ...fix,
    latitude: Number(fix.latitude.toFixed(decimals)),
    longitude: Number(fix.longitude.toFixed(decimals)),
  }));
