import { builder } from '../builder/builder.ts';
import { contentId } from '../builder/global-id.ts';
import { DistrictObject } from './district.ts';
import { type NewerMapRow, newerMapOfDistrict } from './newer-map.store.ts';

export const NewerMapObject = builder.objectRef<NewerMapRow>('NewerMap').implement({
  description:
    'A map that is known to be in effect and is not loaded: the loaded map of the same type and state has been out of date since its first day.',
  fields: (t) => ({
    id: t.id(contentId('NewerMap', 'all other fields', ['since', 'sentence', 'citation', 'url'])),
    since: t.expose('since', { type: 'Date', description: 'The first day on which the newer map is in effect.' }),
    sentence: t.exposeString('sentence', {
      description: 'What that means for who reads the loaded map, as a sentence: the same in all answers.',
    }),
    citation: t.exposeString('citation', { description: 'Who says that there is a newer map from this day on.' }),
    url: t.exposeString('url', { nullable: true, description: 'Where it says so; null when there is no address.' }),
  }),
});

builder.objectField(DistrictObject, 'newerMap', (t) =>
  t.field({
    type: NewerMapObject,
    nullable: true,
    description:
      'The newer map that is known to be in effect on a day and is not loaded. Then the boundary of the district is out of date: whether a point is in the district, and is represented by those who hold its offices, is not known. Null if no newer map is known.',
    args: { on: t.arg({ type: 'Date', description: 'The day; today by default.' }) },
    ...newerMapOfDistrict,
  }),
);
