import { describe, expect, it } from 'vitest';
import { checkSql } from '../../src/gateway/exports/sql-check.ts';

describe('an accepted stored query', () => {
  it.each([
    ['a select', 'select 1', 'select 1'],
    ['one with a semicolon at its end', 'select 1 ;\n-- the end', 'select 1'],
    [
      'comments before it, within each other',
      '/* a /* b */ c */ -- d\nwith x as (select 1) select * from x',
      undefined,
    ],
    ['parentheses', '((select 1) union (select 2))', undefined],
    ['values', "values (1, 'a')", undefined],
    [
      'rejected names within strings and comments',
      `select 'pg_sleep', $$pg_sleep$$, $a$ ' pg_sleep $a$ -- pg_sleep`,
      undefined,
    ],
    ['semicolons within strings and names', `select ';', $x$;$x$, ";" from y`, undefined],
    ['quotes within strings and names', `select 'it''s', "a""b"`, undefined],
    ['a name with a dollar sign', 'select a$b$ from c', undefined],
    ['letters of any script', 'select größe, 選挙 from Ämter', undefined],
    ['pg_typeof', 'select pg_typeof(1), pg_catalog.lower(a) from b', undefined],
  ])('%s', (_, text, sql) => {
    expect(checkSql(text)).toBe(sql ?? text);
  });
});

describe('a rejected stored query, and the reason', () => {
  it.each([
    ['nothing', '-- nothing', /no statement/],
    ['only a semicolon', ';', /no statement/],
    ['two statements', 'select 1; select 2', /more than one/],
    ['two statements, the second behind a comment', 'select 1 /* ; */ ; -- x\n do $$ $$', /more than one/],
    ['a statement that writes', 'delete from persons', /begins with "delete"/],
    ['a statement in capitals', 'DO $$ begin end $$', /begins with "do"/],
    ['a function of the server', 'select PG_Sleep(1)', /"pg_sleep"/],
    ['one in quotes', 'select "pg_sleep"(1)', /"pg_sleep"/],
    ['one behind its schema', 'select pg_catalog . pg_sleep(1)', /"pg_sleep"/],
    ['one right behind a number', 'select 1pg_sleep', /"pg_sleep"/],
    ['one behind a comment that a carriage return ends', 'select 1 -- x\rpg_sleep', /"pg_sleep"/],
    ['one behind a dollar-quoted string with another tag in it', `select $A$ $a$ ' $A$, pg_sleep(1), ''`, /"pg_sleep"/],
    ['one behind a string that ends with a backslash', `select 'x\\', pg_sleep(1), '`, /\\'/],
    ['one that an escaped quote hides', `select E'\\' , pg_sleep(1), '`, /\\'/],
    ['one that is spelled by code points', `select U&"pg\\005fsleep"(1)`, /U&/],
    ['a text run as SQL', `select query_to_xml('select 1', true, true, '')`, /query_to_xml/],
    ['a setting', `select set_config('role', 'none', true)`, /set_config/],
    ['a large object', 'select lo_get(1)', /lo_get/],
    ['a sequence', `select nextval('districts_id_seq')`, /nextval/],
    ['an open string', "select 'x", /without an end/],
    ['an open name', 'select "x', /without an end/],
    ['an open comment', 'select 1 /* /* */', /without an end/],
    ['an open dollar-quoted string', 'select $x$ a', /without an end/],
  ])('%s', (_, text, reason) => {
    expect(() => checkSql(text)).toThrow(reason);
  });
});
