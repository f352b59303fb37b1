<%= request.getParameter("a").length() %> <%= request.getCharacterEncoding() %> é
