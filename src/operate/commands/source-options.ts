import { type Command, InvalidArgumentError } from 'commander';
import type { ImportOptions } from '../../importers/import.ts';
import { ADDRESS_FIELDS } from '../../importers/sources/addresses/address-presets.ts';
import { PLACE_FIELDS } from '../../importers/sources/voting-places/place-presets.ts';
import { pathArgument } from './command.ts';

/** The options of sources as the command line has them. */
export interface GivenSourceOptions extends ImportOptions {
  readonly nameProperty?: string;
  readonly geoidProperty?: string;
  readonly ocdidProperty?: string;
}

/** The option of the commands that take a manifest. */
export const DATA_OPTION = [
  '--data <folder>',
  'base folder for the paths in the manifest; by default the folder of the manifest',
  pathArgument,
] as const;

/** Adds the options of all sources to a command. */
export function addSourceOptions(command: Command): Command {
  return command
    .option('--from <date>', 'first day on which the boundaries are in effect, YYYY-MM-DD')
    .option('--to <date>', 'last day on which the boundaries are in effect; until further notice if omitted')
    .option('--preset <name>', 'a predefined format of boundary files, see below')
    .option('--type <type>', 'district type, if the files do not contain it')
    .option('--precise', 'the boundaries are precise')
    .option('--partial', 'import a map even if it misses districts of a covered state')
    .option('--replaces', 'end the older counties that a map of counties does not have')
    .option('--at-large', 'us-atlas: use the boundary of a state for its only congressional district')
    .option(
      '--properties <list>',
      'properties that name a district, for example name=NAME,geoid=GEOID10',
      readProperties,
    )
    .option(
      '--fields <list>',
      'fields with the parts of an address or a place to vote, for example number=NUM,street=NAME+TYPE',
      readFields,
    )
    .option(
      '--join <list>',
      'types of the districts that columns name, for example precinct_id=Precinct,county+town=County subdivision',
      readJoins,
    )
    .option('--election-type <type>', 'type of the elections of the places that are not stored, for example General')
    .option('--name-property <name>', 'property with the name of a district')
    .option('--geoid-property <name>', 'property with the GEOID of a district')
    .option('--ocdid-property <name>', 'property with the OCD id of a district')
    .option(
      '--state <state>',
      'state of all districts, if no property contains it; for ocd-division-ids: only these states, for example AK,VT',
    )
    .option(
      '--office-map <file>',
      'CSV file with the districts of offices for which the source does not name one',
      pathArgument,
    )
    .option('--precincts', 'store the votes of each precinct too, not only their sums')
    .option('--keep-going', 'skip and report files that cannot be read')
    .option('--layer <name>', 'layer of a TopoJSON file')
    .option('--date <date>', 'day of the election if the source does not state it, YYYY-MM-DD')
    .option('--as-of <date>', 'day of the snapshot, YYYY-MM-DD')
    .option('--name <text>', 'name of the data set, stored as provenance')
    .option('--source <text>', 'source of the data set, stored as provenance')
    .option('--license <text>', 'licence of the data set, stored as provenance');
}

/** Returns the options of an import. */
export function importOptionsOf(given: GivenSourceOptions): ImportOptions {
  const { nameProperty, geoidProperty, ocdidProperty, ...options } = given;
  const named = { name: nameProperty, geoid: geoidProperty, ocdid: ocdidProperty };
  const properties = Object.values(named).some(Boolean) ? { ...options.properties, ...named } : options.properties;
  return { ...options, properties };
}

const readFields = pairsOf([...new Set([...ADDRESS_FIELDS, ...PLACE_FIELDS])], 'part=field', 'parts');
const readJoins = pairsOf(null, 'column=type', '');
const readProperties = pairsOf(['name', 'geoid', 'ocdid', 'state', 'county'], 'key=property', 'keys');

/** Returns the function that reads a list of pairs, each with one of some keys, or with any. */
function pairsOf(keys: readonly string[] | null, form: string, nouns: string) {
  return (list: string): Record<string, string> => {
    const pairs = list.split(',').map((pair) => pair.split('='));
    const isUsable = pairs.every(
      ([key = '', value, ...rest]) => (keys ? keys.includes(key) : key) && value && rest.length === 0,
    );
    if (isUsable) return Object.fromEntries(pairs);
    const known = keys ? `; the ${nouns} are ${keys.join(', ')}` : '';
    throw new InvalidArgumentError(`It must be a list of ${form}${known}.`);
  };
}
