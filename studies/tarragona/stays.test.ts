/** The rows of Tarragona as a table of calls. */
import { expect, it } from '@jest/globals';
import { stayRows, tableText, typeOf } from './stays.ts';

const HEADER = 'call,vessel,place,entry,exit,length_m,operations,cargo,tonnes';
const table = (...rows: string[]) => stayRows([HEADER, ...rows].join('\n'));

it('numbers stand for vessels, a call is a number and a vessel, and rows of other ports are left out', () => {
  const { rows, strays } = table(
    '9,B,34 FONDEIG ZONA II,02/02/2019 05:00,02/02/2019 06:00,100, , , ',
    '9,A,17B QUIMICA 6,01/02/2019 05:00,01/02/2019 06:00,90,Embarque,Gasolina,10',
    '7,A,RAOS 3,01/02/2019 01:00,01/02/2019 02:00,90, , , ',
  );
  expect(strays).toBe(1);
  expect(tableText(rows)).toBe(
    [
      'port,call,vessel,vessel_type,length_m,place,kind,start,end',
      'ESTAR,9-1,1,tanker,90,17B QUIMICA 6,berth,2019-02-01 05:00,2019-02-01 06:00',
      'ESTAR,9-2,2,,100,34 FONDEIG ZONA II,anchorage,2019-02-02 05:00,2019-02-02 06:00',
      '',
    ].join('\n'),
  );
});

it('a type is known from the call and from earlier calls of the vessel, not from later ones', () => {
  const stay = (call: number, day: string, cargo: string): string =>
    `${call},A,25 CANTABRIA,${day}/03/2019 05:00,${day}/03/2019 09:00,90,,${cargo},`;
  const { rows } = table(stay(3, '03', ''), stay(1, '01', ''), stay(2, '02', 'Vehículos'));
  expect(rows.map(({ call, vesselType }) => [call, vesselType])).toEqual([
    ['1-1', ''],
    ['2-1', 'other'],
    ['3-1', 'other'],
  ]);
});

it.each([
  [['Contenedores llenos', 'Papel y pasta'], 'container'],
  [['Cruceristas', 'Vehículos'], 'passenger'],
  [['Carbones y coque de petroleo'], 'bulk'],
  [['Otros productos petrolíferos'], 'tanker'],
  [['Otros productos metalúrgicos'], 'other'],
  [[], ''],
])('%j is a call of the type %s', (cargo, type) => {
  expect(typeOf(cargo)).toBe(type);
});
