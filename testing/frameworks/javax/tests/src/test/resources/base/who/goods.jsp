<%@ page contentType="text/plain;charset=UTF-8" session="false"
    import="java.sql.*,javax.naming.*,javax.sql.DataSource" %><%
  Context names = (Context) new InitialContext().lookup("java:comp/env");
  DataSource source = (DataSource) names.lookup("jdbc/shop");
  try (Connection connection = source.getConnection();
      Statement statement = connection.createStatement();
      ResultSet goods = statement.executeQuery("select name, price from goods order by name")) {
    while (goods.next()) {
      out.println(goods.getString(1) + " " + goods.getInt(2));
    }
  }
%><%= names.lookup("greeting") %>
