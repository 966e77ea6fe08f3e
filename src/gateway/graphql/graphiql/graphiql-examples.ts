const address = `# Who represents this address? Montpelier, Vermont: change the point to your own.
query WhoRepresentsMe {
  location(latitude: 44.2601, longitude: -72.5754) {
    districts {
      name
      type
      offices {
        name
        seat
        officeholders {
          person { name }
          party { name }
          contacts { type value }
        }
      }
    }
  }
}
`;

const ballot = `# A ballot with its results, ranked-choice rounds included: Anchorage, Alaska, August 2022.
query Ballot {
  location(latitude: 61.2176, longitude: -149.8997) {
    ballot(electionDate: "2022-08-16") {
      districts {
        district { name }
        races {
          office { name }
          type
          totalVotes
          margin
          candidates {
            person { name }
            parties { name }
            status
            votes
            rankedChoiceRounds { round votesGained runningTotal status }
          }
        }
        ballotMeasures { name status yesVotesTotal noVotesTotal yesShare }
      }
    }
  }
}
`;

const elections = `# The elections that apply to an address, a year back and a year ahead.
query Elections {
  location(latitude: 44.2601, longitude: -72.5754) {
    elections { date type description district { name } }
  }
}
`;

const points = `# Several points at once take no more statements than one.
query ManyPoints {
  locations(points: [
    { latitude: 61.2176, longitude: -149.8997 }
    { latitude: 43.6591, longitude: -70.2568 }
    { latitude: 35.6870, longitude: -105.9378 }
  ]) {
    latitude
    longitude
    districts(types: [STATE, COUNTY]) { type name ocdId geoId }
  }
}
`;

const district = `# One district, with its outline simplified to about two kilometres.
query OneDistrict {
  district(geoId: "0400000US50") {
    name
    boundary {
      startDate
      endDate
      precise
      area
      boundingBox { west south east north }
      geometry(tolerance: 2000)
    }
  }
}
`;

const districts = `# Counties of a state, page by page: pass endCursor as after.
query Counties {
  districts(state: "VT", types: [COUNTY], first: 5) {
    totalCount
    edges { node { name geoId } }
    pageInfo { hasNextPage endCursor }
  }
}
`;

const people = `# People by name, with every term that is known.
query People {
  people(name: "welch") {
    edges {
      node {
        name
        officeholders { status startDate endDate office { name district { name } } }
      }
    }
  }
}
`;

/** The operations in the tabs of GraphiQL. They can be executed on the sample data as they are. */
export const examples = [address, ballot, elections, points, district, districts, people];
