/** `US Rep in Congress`, `Representative to the United States Congress`, `Member of Congress`, `Congressional District 5` */
const IN_CONGRESS =
  /^(?:(?:US )?(?:REP(?:RESENTATIVE)?S?\b\.?|MEMBER)(?:,? (?:IN|TO|OF)(?: THE)?(?: US| UNITED STATES| U\.S\.)?| US)? CONGRESS|(?:US )?CONGRESSIONAL REPRESENTATIVE|(?:US )?CONGRESS(?:WO)?MAN|US REP\b\.?|CONGRESS(?=$|,| DIST)|CONGRESSIONAL(?= DIST(?:RICT|\.)? \d+$))/;

/** `Presidential Electors`, `Electors for President and Vice President`, `President / Vice President` */
const OF_PRESIDENT =
  /^(?:(?:US )?PRESIDENTIAL ELECTORS?|ELECTORS? (?:FOR|OF) (?:THE )?(?:US )?PRESIDENT\b.*|PRESIDENT(?: ?(?:\/|&|AND|-) ?VICE[ -]PRESIDENT)?(?: OF (?:THE )?(?:US|U\.S\.|UNITED STATES)(?: OF AMERICA)?)?(?: ?(?:\/|&|AND|-) ?VICE[ -]PRESIDENT)?)$/;

/** Returns the text of an office in capitals, with the usual spelling of offices that sources write in several ways. */
export function plainOffice(text: string): string {
  return (
    text
      .toUpperCase()
      .trim()
      .replace(/^(U\. ?S\.|U S\b|UNITED STATES) ?/, 'US ')
      .replace(OF_PRESIDENT, 'PRESIDENT')
      .replace(IN_CONGRESS, 'US HOUSE')
      .replace(/^STATE REP\b\.?/, 'STATE REPRESENTATIVE')
      .replace(/^STATE SEN\b\.?/, 'STATE SENATOR')
      .replace(/^(COUNTY )?J\.?P\b\.?/, '$1JUSTICE OF THE PEACE')
      .replace(/\bSUP(?:REME)? (?:CT|CRT)\b/g, 'SUPREME COURT')
      .replace(
        /\b(?:CT|CRT) OF (?:CRIM(?:INAL)? )?APP(?:EALS?|LS?)?\b/g,
        (court) => `COURT OF ${court.includes('CRIM') ? 'CRIMINAL ' : ''}APPEALS`,
      )
      .replace(/(?<=\b(?:COURT|APPEALS|DISTRICT|JUSTICE|JUDGE),? )PL(?= (?:NO\.? ?)?\d)/g, 'PLACE')
      .replace(/(?<=COURT OF APPEALS) DIST$/, ' DISTRICT')
      .replace(/\b(?:LT|LIEUT)\b\.? (?=GOV)/g, 'LIEUTENANT ')
      // `Governor/Lieutenant Governor`: the running mate is with the candidate.
      .replace(/^GOVERNOR(?: ?[/&] ?| AND | - )(?:LIEUTENANT GOVERNOR|LT\.? GOV\.?)$/, 'GOVERNOR')
  );
}
