hello <%= application.getInitParameter("greeting") %>
