import { draw1, isOfState, isPerson, LEGISLATURE, type Plant, rowsOf, TOP, votes, withTwo } from './contests.ts';
import { oneOf } from './fault.ts';

/** The faults of result files, by kind. */
export const RESULT_FAULTS: Readonly<Record<string, Plant>> = {
  'an answer among names'(table, draw, used) {
    const contest = draw1(table, draw, used, (each) => each.names.length >= 3 && isOfState(each));
    const name = contest && oneOf(draw, contest.names);
    if (!contest || !name) return undefined;
    const answer = oneOf(draw, ['NO', 'YES', 'AGAINST']) ?? 'NO';
    for (const row of rowsOf(table, contest, name)) {
      table.set(row, 'candidate', answer);
      table.set(row, 'party_detailed', '');
    }
    return {
      kind: 'an answer among names',
      checks: ['labels-in-place-of-names', 'names-of-no-person'],
      names: [contest.office, answer],
    };
  },
  'a count among names'(table, draw, used) {
    const contest = draw1(table, draw, used, withTwo);
    const name = contest && oneOf(draw, contest.names);
    if (!contest || !name) return undefined;
    const label =
      oneOf(draw, [
        'SPOILED BALLOTS',
        'VOIDS/BLANKS',
        'REGISTERED VOTERS - TOTAL',
        'NO CANDIDATE FILED',
        'TIMES COUNTED',
        'Affidavit',
      ]) ?? '';
    for (const row of rowsOf(table, contest, name)) {
      table.set(row, 'candidate', label);
      table.set(row, 'party_detailed', '');
    }
    return {
      kind: 'a count among names',
      checks: ['counts-among-candidates', 'labels-in-place-of-names', 'names-of-no-person'],
      names: [contest.office, label],
    };
  },
  'a total among precincts'(table, draw) {
    const county = oneOf(draw, [...new Set(table.rows.map((row) => table.get(row, 'county_name')))].filter(Boolean));
    if (!county || !table.columns.includes('precinct')) return undefined;
    const rows = table.rows.filter((row) => table.get(row, 'county_name') === county);
    if (new Set(rows.map((row) => table.get(row, 'precinct'))).size < 4) return undefined;
    const label = `ALL OF ${county.toUpperCase()} ${Math.floor(draw() * 90 + 10)}`;
    const groups = Map.groupBy(rows, (row) =>
      table.columns
        .filter((name) => !['precinct', 'votes', 'jurisdiction_name', 'jurisdiction_fips'].includes(name))
        .map((name) => row[name])
        .join('|'),
    );
    for (const group of groups.values()) {
      const row = table.copy(group[0] ?? {});
      table.set(row, 'precinct', label);
      if (table.columns.includes('jurisdiction_name')) row.jurisdiction_name = county;
      if (table.columns.includes('jurisdiction_fips')) row.jurisdiction_fips = table.get(row, 'county_fips');
      table.set(row, 'votes', String(group.reduce((sum, each) => sum + votes(table, each), 0)));
      table.rows.push(row);
    }
    return {
      kind: 'a total among precincts',
      checks: ['totals-among-rows', 'totals-against-parts'],
      names: [[label, `| ${county} |`]],
    };
  },
  'mark-up in a name'(table, draw, used) {
    const contest = draw1(table, draw, used, withTwo);
    const name = contest && oneOf(draw, contest.names);
    if (!contest || !name) return undefined;
    const [marked, shown] = oneOf(draw, [
      [`<td>${name}</td>`, '<td>'],
      [`${name.replace(' ', '&eacute; ')}`, '&eacute;'],
      [`${name} #1`, '#1'],
      [`${name} [D]`, '[D]'],
    ] as const) ?? ['', ''];
    for (const row of rowsOf(table, contest, name)) table.set(row, 'candidate', marked);
    return {
      kind: 'mark-up in a name',
      checks: ['mangled-names', 'odd-names', 'names-of-no-person', 'labels-in-place-of-names'],
      names: [contest.office, shown],
    };
  },
  'a slip in one count'(table, draw, used) {
    const contest = draw1(table, draw, used, (each) => TOP.test(each.office) && each.names.length >= 2);
    const row =
      contest &&
      oneOf(
        draw,
        contest.rows.filter((each) => votes(table, each) >= 100 && isPerson(table.get(each, 'candidate'))),
      );
    if (!contest || !row) return undefined;
    table.set(row, 'votes', `${table.get(row, 'votes')}${Math.floor(draw() * 90 + 10)}`);
    return {
      kind: 'a slip in one count',
      checks: ['precincts-beyond-voters', 'repeated-votes', 'totals-against-parts'],
      names: [
        contest.office,
        [table.get(row, 'precinct'), `| ${table.get(row, 'county_name')} |`, 'rows repeat votes'],
      ],
    };
  },
  'rows of a contest repeated'(table, draw, used) {
    const contest = draw1(table, draw, used, (each) => TOP.test(each.office) && each.names.length >= 2);
    if (!contest) return undefined;
    for (const row of contest.rows) {
      const copy = table.copy(row);
      table.set(copy, 'votes', String(votes(table, row) + 1));
      table.rows.push(copy);
    }
    return {
      kind: 'rows of a contest repeated',
      checks: ['repeated-votes', 'votes-of-other-races', 'precincts-beyond-voters', 'totals-against-parts'],
      names: [contest.office],
    };
  },
  'a county missing from a contest of the state'(table, draw, used) {
    const contest = draw1(
      table,
      draw,
      used,
      ({ office, rows }) => /^(GOVERNOR|US SENATE|U\.S\. Senate)$/i.test(office) && rows.length > 50,
    );
    const county =
      contest &&
      oneOf(
        draw,
        [...new Set(contest.rows.map((row) => table.get(row, 'county_name')))].filter((name) => /\w{3}/.test(name)),
      );
    if (!contest || !county) return undefined;
    const gone = new Set(contest.rows.filter((row) => table.get(row, 'county_name') === county));
    table.rows = table.rows.filter((row) => !gone.has(row));
    return {
      kind: 'a county missing from a contest of the state',
      checks: ['counties-missing'],
      names: [contest.office],
    };
  },
  'a candidate in two spellings'(table, draw, used) {
    const contest = draw1(
      table,
      draw,
      used,
      (each) =>
        withTwo(each) &&
        each.names.some((name) => name.replace(/[^a-z]/gi, '').length >= 9 && rowsOf(table, each, name).length >= 4),
    );
    const name = contest?.names.find(
      (each) => each.replace(/[^a-z]/gi, '').length >= 9 && rowsOf(table, contest, each).length >= 4,
    );
    if (!contest || !name) return undefined;
    const at = Math.floor(draw() * 3) + 2;
    const last = name.length - at;
    const other = `${name.slice(0, last)}${name[last] === 'X' ? 'Q' : 'X'}${name.slice(last + 1)}`;
    const rows = rowsOf(table, contest, name);
    for (const row of rows.slice(0, Math.ceil(rows.length / 2))) table.set(row, 'candidate', other);
    return {
      kind: 'a candidate in two spellings',
      checks: ['candidates-alike', 'names-in-several-spellings'],
      names: [contest.office],
    };
  },
  'a total against its parts'(table, draw, used) {
    const contest = draw1(table, draw, used, withTwo);
    const row =
      contest &&
      oneOf(
        draw,
        contest.rows.filter((each) => votes(table, each) >= 10),
      );
    if (!contest || !row || !table.columns.includes('mode')) return undefined;
    const same = contest.rows.filter((each) =>
      table.columns.every((name) => ['mode', 'votes'].includes(name) || each[name] === row[name]),
    );
    const sum = same.reduce((total, each) => total + votes(table, each), 0);
    if (same.some((each) => table.get(each, 'mode').toUpperCase() === 'TOTAL'))
      for (const each of same) table.set(each, 'mode', 'ELECTION DAY');
    const total = table.copy(row);
    table.set(total, 'mode', 'TOTAL');
    table.set(total, 'votes', String(sum + 1 + Math.floor(draw() * 9)));
    table.rows.push(total);
    return {
      kind: 'a total against its parts',
      checks: ['totals-against-parts'],
      names: [contest.office, table.get(row, 'precinct')],
    };
  },
  'one person in two contests'(table, draw, used) {
    const one = draw1(table, draw, used, (each) => LEGISLATURE.test(each.office) && each.names.length >= 2);
    const other = draw1(
      table,
      draw,
      used,
      (each) => LEGISLATURE.test(each.office) && each.names.length >= 2 && each.key !== one?.key,
    );
    const [name, into] = [one && oneOf(draw, one.names), other && oneOf(draw, other.names)];
    if (!one || !name || !into) return undefined;
    for (const row of rowsOf(table, one, name)) table.set(row, 'candidate', into);
    const last = into.split(' ').at(-1) ?? into;
    return {
      kind: 'one person in two contests',
      checks: ['one-name-in-two-contests', 'wins-in-two-districts'],
      names: [last],
    };
  },
  'an identical row'(table, draw, used) {
    const contest = draw1(table, draw, used, withTwo);
    const row =
      contest &&
      oneOf(
        draw,
        contest.rows.filter((each) => votes(table, each) > 0 && isPerson(table.get(each, 'candidate'))),
      );
    if (!contest || !row) return undefined;
    table.rows.push(table.copy(row));
    return {
      kind: 'an identical row',
      checks: ['identical-rows'],
      names: [contest.office, table.get(row, 'candidate')],
    };
  },
  'a day that no law knows'(table, draw, used) {
    const contest = draw1(
      table,
      draw,
      used,
      (each) => /^US HOUSE$/i.test(each.office) && each.names.length > 0 && table.columns.includes('date'),
    );
    if (!contest) return undefined;
    const [year = '', month = ''] = (contest.rows[0]?.date ?? '').split('-');
    const day = oneOf(draw, ['01', '15', '22']) ?? '15';
    for (const row of contest.rows) row.date = `${year}-${month}-${day}`;
    return { kind: 'a day that no law knows', checks: ['days-without-law'], names: [contest.office] };
  },
  'a district that one contest names'(table, draw, used) {
    const contest = draw1(table, draw, used, withTwo);
    const row =
      contest &&
      oneOf(
        draw,
        contest.rows.filter((each) => votes(table, each) > 0),
      );
    if (!contest || !row) return undefined;
    const name = `${oneOf(draw, ['ZORN CREEK', 'UPPER QUILL', 'OLD VARNISH'])} ${Math.floor(draw() * 90 + 10)}`;
    for (const each of contest.rows.filter((same) => table.get(same, 'precinct') === table.get(row, 'precinct'))) {
      const copy = table.copy(each);
      table.set(copy, 'office', `${name} WATER DISTRICT SUPERVISOR`);
      table.set(copy, 'district', '');
      if (table.columns.includes('dataverse')) table.set(copy, 'dataverse', 'LOCAL');
      table.rows.push(copy);
    }
    return {
      kind: 'a district that one contest names',
      checks: ['unplaced-contests'],
      names: [name],
    };
  },
  'a contest joined over counties by a name'(table, draw, used) {
    const counties = [...new Set(table.rows.map((row) => table.get(row, 'county_name')))].filter((name) =>
      /\w{3}/.test(name),
    );
    const contest = draw1(table, draw, used, (each) => TOP.test(each.office));
    const [one, other] = [oneOf(draw, counties), oneOf(draw, counties)];
    if (!contest || !one || !other || one === other) return undefined;
    const office = `LAKE WARDEN OF ${oneOf(draw, ['THE PINES', 'NORTH SHORE', 'THE MARSH'])}`;
    for (const county of [one, other]) {
      const row = contest.rows.find((each) => table.get(each, 'county_name') === county);
      if (!row) return undefined;
      for (const [candidate, count] of [
        ['ADA QUENTIN DRAKE', '310'],
        ['BEN IRIS', '205'],
      ] as const) {
        const copy = table.copy(row);
        table.set(copy, 'office', office);
        table.set(copy, 'district', '');
        table.set(copy, 'candidate', candidate);
        table.set(copy, 'party_detailed', 'NONPARTISAN');
        table.set(copy, 'votes', count);
        if (table.columns.includes('dataverse')) table.set(copy, 'dataverse', 'LOCAL');
        table.rows.push(copy);
      }
    }
    return {
      kind: 'a contest joined over counties by a name',
      checks: ['unplaced-contests'],
      names: ['LAKE WARDEN'],
    };
  },
  'a count that is no number'(table, draw, used) {
    const contest = draw1(table, draw, used, withTwo);
    const row =
      contest &&
      oneOf(
        draw,
        contest.rows.filter((each) => votes(table, each) >= 10 && isPerson(table.get(each, 'candidate'))),
      );
    if (!contest || !row) return undefined;
    table.set(row, 'votes', oneOf(draw, ['12O', '1.234', '-5', '4e2', '7 8']) ?? 'x');
    return { kind: 'a count that is no number', checks: ['counts-that-are-no-numbers'], names: [contest.office] };
  },
  'a row with another number of cells'(table, draw, used) {
    const contest = draw1(table, draw, used, withTwo);
    const row = contest && oneOf(draw, contest.rows);
    if (!row) return undefined;
    const label = `ZZ${Math.floor(draw() * 9000 + 1000)}`;
    table.raw.set(
      row,
      table.columns
        .map(() => label)
        .slice(0, -2)
        .join(','),
    );
    return {
      kind: 'a row with another number of cells',
      checks: ['malformed-rows'],
      names: ['cells, unlike the header'],
    };
  },
  'seats that no law knows'(table, draw, used) {
    const contest = draw1(
      table,
      draw,
      used,
      (each) => TOP.test(each.office) && each.names.length >= 2 && table.columns.includes('magnitude'),
    );
    if (!contest) return undefined;
    for (const row of contest.rows) row.magnitude = String(2 + Math.floor(draw() * 1));
    return {
      kind: 'seats that no law knows',
      checks: ['seats-beyond-the-law', 'more-votes-than-ballots'],
      names: [contest.office],
    };
  },
  'a Congress district without a seat'(table, draw, used) {
    const contest = draw1(
      table,
      draw,
      used,
      (each) => /^(US HOUSE|U\.S\. House)$/i.test(each.office) && each.names.length >= 2,
    );
    const row =
      contest &&
      oneOf(
        draw,
        contest.rows.filter((each) => votes(table, each) > 20),
      );
    if (!contest || !row) return undefined;
    const number = String(Math.floor(draw() * 8) + 54);
    for (const each of contest.rows.filter(
      (same) =>
        table.get(same, 'precinct') === table.get(row, 'precinct') &&
        table.get(same, 'county_name') === table.get(row, 'county_name'),
    ))
      table.set(each, 'district', number);
    return {
      kind: 'a Congress district without a seat',
      checks: ['congress-districts-beyond-seats', 'districts-without-a-seat'],
      names: [contest.office, number],
    };
  },
  'a party changed in one precinct'(table, draw, used) {
    // Where several parties may nominate a candidate, only the source knows.
    if (/^(CA|CT|MA|MD|MS|NH|NY|OR|PA|SC|VT)$/.test(table.get(table.rows[0] ?? {}, 'state_po'))) return undefined;
    const contest = draw1(table, draw, used, withTwo);
    const row =
      contest &&
      oneOf(
        draw,
        contest.rows.filter((each) => votes(table, each) > 20 && /^(DEM|REP)/i.test(table.get(each, 'party_detailed'))),
      );
    if (!contest || !row) return undefined;
    table.set(row, 'party_detailed', /^DEM/i.test(table.get(row, 'party_detailed')) ? 'LIBERTARIAN' : 'GREEN');
    return {
      kind: 'a party changed in one precinct',
      checks: ['several-parties', 'parties-by-precinct'],
      names: [contest.office],
    };
  },
  'a county that does not exist'(table, draw, used) {
    const contest = draw1(table, draw, used, (each) => TOP.test(each.office));
    const row = contest && oneOf(draw, contest.rows);
    if (!contest || !row) return undefined;
    const name = `QUILLBURY${String.fromCharCode(65 + Math.floor(draw() * 26))}`;
    for (const [candidate, count] of [
      ['ADA DRAKE', '310'],
      ['BEN IRIS', '205'],
    ] as const) {
      const copy = table.copy(row);
      table.set(copy, 'county_name', name);
      for (const column of ['county_fips', 'jurisdiction_fips']) if (table.columns.includes(column)) copy[column] = '';
      if (table.columns.includes('jurisdiction_name')) copy.jurisdiction_name = name;
      table.set(copy, 'office', 'SHERIFF');
      table.set(copy, 'district', '');
      table.set(copy, 'candidate', candidate);
      table.set(copy, 'votes', count);
      if (table.columns.includes('dataverse')) table.set(copy, 'dataverse', 'LOCAL');
      table.rows.push(copy);
    }
    return { kind: 'a county that does not exist', checks: ['unplaced-contests'], names: [[name, 'SHERIFF']] };
  },
};
