<% session.invalidate(); %>ended
