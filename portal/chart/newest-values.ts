/** While no pointer is on a chart, its legend tells the newest values instead of none. */
import type uPlot from 'uplot';

export function tellNewest(plot: uPlot): void {
  const show = (): void => plot.setLegend({ idx: plot.data[0].length - 1 }, false);
  plot.over.addEventListener('mouseleave', show);
  show();
}
