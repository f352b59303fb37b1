<%= request.getScheme() %> <%= request.isSecure() %> <%= request.getServerName() %>
<%= request.getRequestURL().toString().replaceAll(":[0-9]{5}", ":PORT") %>
<%= request.getRemoteUser() %> <%= request.getAuthType() %> <%= request.isUserInRole("staff") %>
<%= request.getContextPath() %> <%= request.getServletPath() %> <%= request.getPathInfo() %>
<%= request.getQueryString() %> <%= request.getRequestURI() %>
<%= application.getInitParameter("greeting") %>
<%= new javax.naming.InitialContext().lookup("java:comp/env/colour") %>
