/** The schema of the hand-written servers: the fields of the tables as REST returns them. */
export const typeDefs = `
  type Query {
    districtsAt(latitude: Float!, longitude: Float!): [District!]!
    points(points: [PointInput!]!): [[District!]!]!
    ballotAt(latitude: Float!, longitude: Float!, date: String!): [BallotDistrict!]!
    stateBallot(state: String!, date: String!): [BallotDistrict!]!
    races(state: String!, date: String!): [Race!]!
  }
  input PointInput { latitude: Float! longitude: Float! }
  type District { id: Int! name: String! type: String! url: String ocdid: String nces_id: String geo_id: String
    state: String end_date: String precise_boundary: Boolean offices: [Office!]! }
  type Office { id: Int! name: String! type: String level: String! branch: String! chamber: String is_partisan: String
    seat: String url: String officeholders: [Officeholder!]! }
  type Officeholder { id: Int! status: String! partisan_affiliation: Int person: Person contacts: [Contact!]! }
  type Person { id: Int! name: String! first_name: String last_name: String url: String contacts: [Contact!]! }
  type Contact { contact: String! contact_type: String! }
  type BallotDistrict { district: District! races: [Race!]! ballot_measures: [Measure!]! }
  type Race { id: Int! url: String number_of_seats: Int! year: Int! type: String! is_marquee: Boolean
    office_position: String is_ranked_choice: Boolean results_certified: Boolean stage_type: String!
    stage_party: String office: Office! candidates: [Candidate!]! }
  type Candidate { id: Int! fec_id: String running_mate: String stage_party: String is_incumbent: Boolean
    is_write_in: Boolean withdrew_still_on_ballot: Boolean cand_status: String votes_for_cand: Int
    parties: [Party!]! rounds: [Round!]! person: Person! }
  type Party { id: Int! name: String! url: String }
  type Round { rcv_round: Int! votes_for: Int status: String }
  type Measure { id: Int! name: String! url: String status: String type: String yes_vote: String no_vote: String
    official_title: String election_date: String! yes_votes_total: Int no_votes_total: Int }
`;
