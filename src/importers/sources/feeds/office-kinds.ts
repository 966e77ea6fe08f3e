import { branchOf } from '../../facts/offices.ts';

export interface OfficeKind {
  readonly level: 'Federal' | 'State' | 'Local';
  readonly branch: 'Legislative' | 'Executive' | 'Judicial';
  readonly chamber?: 'Upper' | 'Lower';
  readonly federal?: 'prez' | 'viceprez' | 'sen';
}

type Branch = OfficeKind['branch'];

const ROLES: readonly (readonly [Branch, RegExp])[] = [
  ['Judicial', /court|judge|justice of the peace|^(circuit|district|superior) clerk$/],
  ['Legislative', /^((city|county) council|county commissioner|school board|state board education|board of regents)$/],
  [
    'Executive',
    /^(attorney general|auditor|bailiff|cabinet member|chief of police|city clerk|constable|coroner|county (assessor|attorney|clerk|recorder|surveyor)|deputy (head of government|state executive)|district attorney|governors council|head of (government|state)|jailer|mayor|prosecutor|public administrator|register deeds|registrar of voters|secretary .+|sheriff|solicitor general|state executive|subcounty executive|taxes|treasurer)$/,
  ],
];

/** Branches by patterns of office names; the first match applies. */
const NAMES: readonly (readonly [Branch, RegExp])[] = [
  ['Judicial', /\b(judge|justice|magistrate|clerk of (the )?(circuit|district|superior|supreme) court)\b/],
  ['Executive', /^((lieutenant|lt) )?governor\b/],
  [
    'Executive',
    /\b(attorney general|secretary of state|treasurer|auditor|comptroller|controller|mayor|sheriff|coroner|constable|assessor|recorder|register of deeds|surveyor|(city|county|town|township) clerk|(district|county|commonwealth'?s?|state'?s?|prosecuting) attorney|superintendent|commissioner of (the )?revenue)\b/,
  ],
  [
    'Legislative',
    /\b(senator|representative|delegate|assembly(man|woman|member| member)?|house of (delegates|representatives)|council(man|woman|member|or)?|alder(man|woman|person)|board of (supervisors|education|selectmen|aldermen|commissioners)|county commissioner|school board|selectman|select board)\b/,
  ],
];

/** Returns the level and branch of an office by its district, its role in the feed, or its name. */
export function officeKind(
  name: string,
  districtType: string,
  roles: readonly string[],
  levels: readonly string[],
): OfficeKind {
  const lower = name.toLowerCase().replace(/\./g, '');
  const has = (role: string) => roles.includes(role);
  const isWide = districtType === 'State' || districtType === 'Country';
  if (isWide && (has('vice president') || /^vice[- ]president( of the united states)?$/.test(lower)))
    return { level: 'Federal', branch: 'Executive', federal: 'viceprez' };
  if (isWide && (has('president') || /^president( and vice[- ]president)?( of the united states)?$/.test(lower)))
    return { level: 'Federal', branch: 'Executive', federal: 'prez' };
  const isSenator = has('upper house') || /^(us|united states) senat(e|or)\b/.test(lower);
  if (districtType === 'State' && isSenator) {
    return { level: 'Federal', branch: 'Legislative', chamber: 'Upper', federal: 'sen' };
  }
  if (districtType === 'Congress') return { level: 'Federal', branch: 'Legislative', chamber: 'Lower' };
  if (districtType.startsWith('State Legislative')) {
    const chamber = districtType.endsWith('(Upper)') ? 'Upper' : 'Lower';
    return { level: 'State', branch: 'Legislative', chamber };
  }
  const branch =
    roles.map((role) => ROLES.find(([, pattern]) => pattern.test(role))?.[0]).find(Boolean) ??
    NAMES.find(([, pattern]) => pattern.test(lower))?.[0] ??
    branchOf(name);
  return { level: levelOf(districtType, branch, levels), branch };
}

function levelOf(districtType: string, branch: Branch, levels: readonly string[]): OfficeKind['level'] {
  if (districtType === 'Country') return 'Federal';
  if (districtType === 'State' || districtType === 'State subdivision') return 'State';
  // Lower courts are state courts as well; their prosecutors are county officers.
  if (districtType === 'Judicial District' && (branch === 'Judicial' || levels.includes('administrative area 1')))
    return 'State';
  return 'Local';
}
